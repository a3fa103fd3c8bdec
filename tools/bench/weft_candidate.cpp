// The only place of bench that knows element types: they are run-time data in a plan and templates
// in its calls.
#include "bench/weft_candidate.hpp"

#include <complex>

#include "machine/clock.hpp"
#include "plan_array.hpp"

namespace weft::bench {
namespace {

/// Between arrays of the user.
template <class In, class Out>
class UserArraysCandidate final : public WeftCandidate {
 public:
  UserArraysCandidate(Plan plan, bool in_place)
      : WeftCandidate(std::move(plan)), in_place_(in_place) {
    const auto bytes_in = static_cast<std::size_t>(plan_.input_size()) * sizeof(In);
    const auto bytes_out = static_cast<std::size_t>(plan_.output_size()) * sizeof(Out);
    for (int field = 0; field < transforms(); ++field) {
      memory_in_.emplace_back(in_place ? plan_.in_place_bytes() : bytes_in);
      memory_out_.emplace_back(in_place ? 0 : bytes_out);
      auto* const out = in_place ? memory_in_.back().data() : memory_out_.back().data();
      from_.push_back(reinterpret_cast<In*>(memory_in_.back().data()));
      to_.push_back(reinterpret_cast<Out*>(out));
    }
    in_ = reinterpret_cast<In*>(memory_in_.front().data());
    out_ = to_.front();
  }

  std::string describe() const override { return in_place_ ? "in place" : "the user's arrays"; }
  Field input() override { return field_of(in_, plan_.input_layout(), plan_.input_box()); }
  Field output() override { return field_of(out_, plan_.output_layout(), plan_.output_box()); }
  void prepare() override {
    for (std::size_t other = 1; other < memory_in_.size(); ++other)
      memory_in_[other] = memory_in_.front();
  }
  void run() override { transforms() == 1 ? plan_.forward(in_, out_) : plan_.forward(from_, to_); }
  /// Runs all fields of the plan at once.
  int transforms() const override { return plan_.options().fields; }
  void run_backward() override { plan_.backward(out_, in_); }

 private:
  bool in_place_;
  std::vector<std::vector<std::byte>> memory_in_, memory_out_;  // allocated as a user would
  std::vector<const In*> from_;                                 // one for each field
  std::vector<Out*> to_;
  In* in_ = nullptr;
  Out* out_ = nullptr;
};

/// Between the plan's own arrays. On a device, `input` and `output` are copies on the host.
template <class In, class Out>
class OwnArraysCandidate final : public WeftCandidate {
 public:
  explicit OwnArraysCandidate(Plan plan)
      : WeftCandidate(std::move(plan)), in_(plan_, Side::input), out_(plan_, Side::output) {}

  std::string describe() const override {
    return command::is_for_host(plan_) ? "the plan's arrays" : "the plan's arrays, on the device";
  }
  Field input() override {
    in_.fetch();
    may_be_filled_ = true;
    return field_of(in_.seen().data(), plan_.input_layout(), plan_.input_box());
  }
  Field output() override {
    out_.fetch();
    return field_of(out_.seen().data(), plan_.output_layout(), plan_.output_box());
  }
  void prepare() override {
    if (may_be_filled_) in_.send();
    may_be_filled_ = false;
  }
  void run() override {
    prepare();
    plan_.forward(in_.own(), out_.own());
    plan_.synchronize();
  }
  void run_backward() override {
    may_be_filled_ = false;
    plan_.backward(out_.own(), in_.own());
    plan_.synchronize();
  }

 private:
  command::PlanArray<In> in_;
  command::PlanArray<Out> out_;
  bool may_be_filled_ = false;
};

template <class In, class Out>
std::unique_ptr<WeftCandidate> make_typed(Plan plan, Between between) {
  if (between == Between::plan_arrays)
    return std::make_unique<OwnArraysCandidate<In, Out>>(std::move(plan));
  return std::make_unique<UserArraysCandidate<In, Out>>(std::move(plan),
                                                        between == Between::in_place);
}

template <class Real>
std::unique_ptr<WeftCandidate> make(Plan plan, Between between) {
  using Complex = std::complex<Real>;
  const bool real_input = plan.input_is_real();
  const bool real_output = plan.output_is_real();
  if (real_input && real_output) return make_typed<Real, Real>(std::move(plan), between);
  if (real_input) return make_typed<Real, Complex>(std::move(plan), between);
  if (real_output) return make_typed<Complex, Real>(std::move(plan), between);
  return make_typed<Complex, Complex>(std::move(plan), between);
}

/// For complex spectra, with either kind of array.
template <class Physical, class Spectral>
class PoissonCandidate final : public WeftCandidate {
 public:
  PoissonCandidate(Plan plan, bool fused)
      : WeftCandidate(std::move(plan)),
        fused_(fused),
        solve_(operators().template inverse_laplacian<Spectral>()),
        in_(static_cast<std::size_t>(plan_.input_size())),
        out_(in_.size()) {
    const Transform& transform = plan_.transform();
    if (!fused) spectrum_.resize(static_cast<std::size_t>(plan_.output_size()));
    wavenumbers_.resize(transform.shape.size());
    for (int axis = 0; axis < transform.shape.size(); ++axis)
      for (const Index k : transform.wavenumbers(axis))
        wavenumbers_[axis].push_back(static_cast<double>(k));
    if (fused) run();  // allocates its memory
  }

  std::string describe() const override {
    return fused_ ? "Poisson, fused" : "Poisson, three steps";
  }
  Field input() override { return field_of(in_.data(), plan_.input_layout(), plan_.input_box()); }
  Field output() override { return field_of(out_.data(), plan_.input_layout(), plan_.input_box()); }
  void run() override {
    if (fused_) {
      plan_.template apply<Spectral>(in_.data(), out_.data(), solve_);
      return;
    }
    plan_.forward(in_.data(), spectrum_.data());
    multiply();
    plan_.backward(spectrum_.data(), out_.data());
  }
  void run_backward() override {}

 private:
  SpectralOperators operators() const {
    const auto axes = static_cast<std::size_t>(plan_.transform().shape.size());
    return {plan_.transform(), std::vector<double>(axes, 1.0)};
  }

  /// As a user would do it: a sweep over the spectrum, line by line in memory order.
  void multiply() {
    const Box& box = plan_.output_box();
    const Order& order = plan_.output_layout().order();
    const int fastest = order.back();
    const auto length = static_cast<std::size_t>(box.extent(fastest));
    const double* const along = wavenumbers_[fastest].data() + box.lower[fastest];
    const auto strides = strides_of(box.extents(), order);
    Shape extents;
    PerAxis<Index> steps;
    for (const int axis : order) {
      extents.push_back(box.extent(axis));
      steps.push_back(strides[axis]);
    }
    auto at = PerAxis<double>::filled(box.axes(), 0);
    for_each_line(extents, steps, [&](const Point& point, Index offset) {
      for (int place = 0; place < order.size(); ++place) {
        const int axis = order[place];
        at[axis] = wavenumbers_[axis][box.lower[axis] + point[place]];
      }
      solve_(SpectrumLine<Spectral>{
          {spectrum_.data() + offset, length}, fastest, {along, length}, at});
    });
  }

  bool fused_;
  LineFunction<Spectral> solve_;
  std::vector<Physical> in_, out_;
  std::vector<Spectral> spectrum_;
  std::vector<std::vector<double>> wavenumbers_;
};

template <class Real>
std::unique_ptr<WeftCandidate> make_poisson(Plan plan, bool fused) {
  using Complex = std::complex<Real>;
  if (plan.input_is_real())
    return std::make_unique<PoissonCandidate<Real, Complex>>(std::move(plan), fused);
  return std::make_unique<PoissonCandidate<Complex, Complex>>(std::move(plan), fused);
}

/// The candidate that `make` makes of a plan. It knows how long planning took.
template <class Make>
std::unique_ptr<WeftCandidate> timed_plan(MPI_Comm communicator, const Transform& transform,
                                          const Options& options, const Make& make) {
  const Clock::time_point begin = Clock::now();
  Plan plan(communicator, transform, options);
  const double seconds = seconds_between(begin, Clock::now());
  std::unique_ptr<WeftCandidate> candidate = make(std::move(plan));
  candidate->set_planning_seconds(seconds);
  return candidate;
}

}  // namespace

std::unique_ptr<WeftCandidate> weft_candidate(MPI_Comm communicator, const Transform& transform,
                                              Options options, Between between) {
  if (between != Between::plan_arrays) options.arrays = Arrays::any;
  return timed_plan(communicator, transform, options, [&](Plan plan) {
    return transform.precision == Precision::double_ ? make<double>(std::move(plan), between)
                                                     : make<float>(std::move(plan), between);
  });
}

std::unique_ptr<WeftCandidate> poisson_candidate(MPI_Comm communicator, const Transform& transform,
                                                 Options options, bool fused) {
  return timed_plan(communicator, transform, options, [&](Plan plan) {
    if (plan.output_is_real())
      throw Error("--poisson: valid with c2c, r2c and r2c_packed, whose spectra are of waves");
    return transform.precision == Precision::double_ ? make_poisson<double>(std::move(plan), fused)
                                                     : make_poisson<float>(std::move(plan), fused);
  });
}

}  // namespace weft::bench
