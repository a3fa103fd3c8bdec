// The one place of bench that knows element types: they are data in a plan and templates in its
// calls.
#include "bench/weft_candidate.hpp"

#include <complex>

namespace weft::bench {
namespace {

template <class In, class Out>
class TypedCandidate final : public WeftCandidate {
 public:
  TypedCandidate(Plan plan, Between between) : plan_(std::move(plan)), between_(between) {
    if (between == Between::plan_arrays) {
      in_ = plan_.template input<In>().data();
      out_ = plan_.template output<Out>().data();
      return;
    }
    const auto bytes_in = static_cast<std::size_t>(plan_.input_size()) * sizeof(In);
    const auto bytes_out = static_cast<std::size_t>(plan_.output_size()) * sizeof(Out);
    const bool in_place = between == Between::in_place;
    memory_in_.resize(in_place ? plan_.in_place_bytes() : bytes_in);
    memory_out_.resize(in_place ? 0 : bytes_out);
    in_ = reinterpret_cast<In*>(memory_in_.data());
    out_ = reinterpret_cast<Out*>(in_place ? memory_in_.data() : memory_out_.data());
  }

  std::string describe() const override {
    switch (between_) {
      case Between::plan_arrays:
        return "the plan's arrays";
      case Between::user_arrays:
        return "the user's arrays";
      case Between::in_place:
        return "in place";
    }
    return {};
  }
  Field input() override { return field(in_, plan_.input_layout(), plan_.input_box()); }
  Field output() override { return field(out_, plan_.output_layout(), plan_.output_box()); }
  void run() override { plan_.forward(in_, out_); }
  void run_backward() override { plan_.backward(out_, in_); }
  Plan& plan() override { return plan_; }

 private:
  template <class T>
  Field field(T* data, const Layout& layout, const Box& box) const {
    return {data, plan_.transform().precision, std::is_floating_point_v<T>, box,
            strides_of(box.extents(), layout.order())};
  }

  Plan plan_;
  Between between_;
  std::vector<std::byte> memory_in_, memory_out_;  // as a user would allocate them
  In* in_ = nullptr;
  Out* out_ = nullptr;
};

template <class Real>
std::unique_ptr<WeftCandidate> make(Plan plan, Between between) {
  using Complex = std::complex<Real>;
  const bool real_input = plan.input_is_real();
  const bool real_output = plan.output_is_real();
  if (real_input && real_output)
    return std::make_unique<TypedCandidate<Real, Real>>(std::move(plan), between);
  if (real_input) return std::make_unique<TypedCandidate<Real, Complex>>(std::move(plan), between);
  if (real_output) return std::make_unique<TypedCandidate<Complex, Real>>(std::move(plan), between);
  return std::make_unique<TypedCandidate<Complex, Complex>>(std::move(plan), between);
}

}  // namespace

std::unique_ptr<WeftCandidate> weft_candidate(MPI_Comm communicator, const Transform& transform,
                                              Options options, Between between) {
  options.arrays = between == Between::plan_arrays ? Arrays::plan : Arrays::any;
  Plan plan(communicator, transform, options);
  if (transform.precision == Precision::double_) return make<double>(std::move(plan), between);
  return make<float>(std::move(plan), between);
}

}  // namespace weft::bench
