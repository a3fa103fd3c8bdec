// The public plan: a thin front of PlanState.
#include <fmt/format.h>

#include <algorithm>
#include <weft/plan.hpp>

#include "session/packed_plane.hpp"
#include "session/plan_state.hpp"
#include "tune/search.hpp"

namespace weft {
namespace {

std::string element_name(Precision precision, bool real) {
  return real ? to_string(precision) : fmt::format("std::complex<{}>", to_string(precision));
}

/// The wire that sends least within the error asked for.
std::unique_ptr<PlanState> make_state(MPI_Comm communicator, RouteRequest request) {
  const Job job = join_job(communicator, request.options.ranks_per_node);
  check_request(job, request);
  const Choice choice = choose(job, request);
  if (request.options.wire_error > 0 && request.options.wire == Wire::exact)
    for (const Wire wire : {Wire::half, Wire::bfloat16, Wire::single_}) {
      request.options.wire = wire;
      try {
        auto state = std::make_unique<PlanState>(job, request, choice);
        if (state->trial_error() <= request.options.wire_error) return state;
      } catch (const Error&) {
        // `half` has no form for real numbers; any other mistake is found again below.
      }
      request.options.wire = Wire::exact;
    }
  return std::make_unique<PlanState>(job, std::move(request), choice);
}

}  // namespace

Handle::Handle(Handle&& other) noexcept = default;

Handle& Handle::operator=(Handle&& other) noexcept {
  wait();
  plan_ = std::move(other.plan_);
  ticket_ = other.ticket_;
  return *this;
}

Handle::~Handle() { wait(); }

bool Handle::test() {
  if (!plan_) return true;
  bool over = false;
  plan_->abort_on_error([&] { over = plan_->test(ticket_); });
  if (over) plan_.reset();
  return over;
}

void Handle::wait() {
  if (!plan_) return;
  plan_->abort_on_error([&] { plan_->wait(ticket_); });
  plan_.reset();
}

Plan::Plan(MPI_Comm communicator, const Shape& shape, Kind kind, const Options& options)
    : Plan(communicator, Transform(shape, kind), options) {}

Plan::Plan(MPI_Comm communicator, const Transform& transform, const Options& options)
    : Plan(communicator, transform, Layout(), Layout(), options) {}

Plan::Plan(MPI_Comm communicator, const Transform& transform, const Layout& input,
           const Layout& output, const Options& options)
    : state_(make_state(communicator, {transform, options, input, output})) {}

Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

const Transform& Plan::transform() const { return state_->request().transform; }
const Options& Plan::options() const { return state_->request().options; }
const Layout& Plan::input_layout() const { return state_->routes().input; }
const Layout& Plan::output_layout() const { return state_->routes().output; }
Box Plan::input_box() const { return input_layout().box(rank()); }
Box Plan::output_box() const { return output_layout().box(rank()); }
Index Plan::input_size() const { return input_box().volume(); }
Index Plan::output_size() const { return output_box().volume(); }
bool Plan::input_is_real() const { return state_->routes().input_element.real; }
bool Plan::output_is_real() const { return state_->routes().output_element.real; }
int Plan::rank() const { return state_->rank(); }

std::size_t Plan::in_place_bytes() const {
  return std::max(state_->input_bytes(), state_->output_bytes());
}

std::shared_ptr<void> Plan::own_array(bool is_input, ElementType type) {
  check_type(is_input, type, is_input ? "input" : "output");
  return state_->own_array(is_input);
}

void Plan::check_type(bool is_input, ElementType type, const char* what) const {
  const bool real = is_input ? input_is_real() : output_is_real();
  const Precision precision = transform().precision;
  if (type.real != real || type.precision != precision)
    throw Error(fmt::format("{}: elements of type {} given; this plan's are {}", what,
                            element_name(type.precision, type.real),
                            element_name(precision, real)));
}

void Plan::run(bool forward, std::vector<const void*> in, ElementType in_type,
               std::vector<void*> out, ElementType out_type) {
  state_->abort_on_error([&] {
    check_type(forward, in_type, forward ? "forward: input" : "backward: input");
    check_type(!forward, out_type, forward ? "forward: output" : "backward: output");
    const auto most = static_cast<std::size_t>(options().fields);
    if (in.size() != out.size() || in.empty() || in.size() > most)
      throw Error(
          fmt::format("fields: {} inputs and {} outputs given; valid is the same number of both, 1 "
                      "to the plan's fields={}",
                      in.size(), out.size(), most));
    state_->run(forward, in, out);
  });
}

Handle Plan::run_start(bool forward, const void* in, ElementType in_type, void* out,
                       ElementType out_type) {
  std::uint64_t ticket = 0;
  state_->abort_on_error([&] {
    const char* const name = forward ? "start_forward" : "start_backward";
    check_type(forward, in_type, fmt::format("{}: input", name).c_str());
    check_type(!forward, out_type, fmt::format("{}: output", name).c_str());
    ticket = state_->start(forward, in, out);
  });
  return {state_, ticket};
}

Box Plan::packed_plane() const { return PackedPlane(transform(), output_layout(), rank()).box(); }

void Plan::run_unpack(const void* spectrum, void* mean, void* nyquist, ElementType type) {
  const PackedPlane plane(transform(), output_layout(), rank());
  state_->abort_on_error([&] {
    check_type(false, type, "unpack_plane");
    const auto unpack = [&](auto zero) {
      using T = std::complex<decltype(zero)>;
      plane.unpack(state_->communicator(), static_cast<const T*>(spectrum), static_cast<T*>(mean),
                   static_cast<T*>(nyquist));
    };
    type.precision == Precision::double_ ? unpack(0.0) : unpack(0.0F);
  });
}

void Plan::run_pack(const void* mean, const void* nyquist, void* spectrum, ElementType type) {
  const PackedPlane plane(transform(), output_layout(), rank());
  state_->abort_on_error([&] {
    check_type(false, type, "pack_plane");
    const auto pack = [&](auto zero) {
      using T = std::complex<decltype(zero)>;
      plane.pack(static_cast<const T*>(mean), static_cast<const T*>(nyquist),
                 static_cast<T*>(spectrum));
    };
    type.precision == Precision::double_ ? pack(0.0) : pack(0.0F);
  });
}

void Plan::run_apply(const void* in, ElementType type, std::vector<void*> outs,
                     ElementType spectrum, const std::vector<RawLineFunction>& functions) {
  state_->prepare_apply();
  state_->abort_on_error([&] {
    const bool forth = forward_is_analysis(transform());
    check_type(forth, type, "apply: arrays");
    check_type(!forth, spectrum, "apply: spectrum");
    if (outs.empty() || outs.size() != functions.size())
      throw Error(
          fmt::format("apply: {} outputs and {} functions given; valid is one function for "
                      "each output, and at least one",
                      outs.size(), functions.size()));
    state_->apply(in, outs, functions);
  });
}

std::string Plan::describe() const { return state_->describe(); }
std::size_t Plan::workspace_bytes() const { return state_->workspace_bytes(); }
std::size_t Plan::tile_bytes() const { return state_->tile_bytes(); }
std::string Plan::engine() const { return find_engine(options().engine).name; }
std::vector<std::string> Plan::exchanges() const {
  return state_->forward_program().route().methods;
}
Plan::Traffic Plan::sent() const {
  const Route& route = state_->forward_program().route();
  Traffic traffic;
  for (std::size_t e = 0; e < route.exchanges.size(); ++e) {
    const Geometry::Traffic part =
        find_exchange(route.methods[e]).sent(route.exchanges[e], rank(), route.setting);
    traffic.bytes += static_cast<std::size_t>(part.bytes);
    traffic.messages += part.messages;
  }
  return traffic;
}

std::size_t Plan::pass_bytes() const { return state_->forward_program().traffic_bytes(); }

std::function<void()> Plan::part(Part part) {
  return part == Part::passes ? state_->passes_alone() : state_->exchanges_alone();
}

void Plan::record(bool on) { state_->record(on); }
Trace Plan::trace() const { return state_->trace(); }

std::vector<Trial> tune(MPI_Comm communicator, const Transform& transform, const Options& options,
                        double seconds, const std::function<void(const Trial&)>& report,
                        const Layout& input, const Layout& output) {
  const RouteRequest request{transform, options, input, output};
  const Job job = join_job(communicator, options.ranks_per_node);
  check_request(job, request);
  return search(job, request, seconds, report);
}

Layout gather_layout(MPI_Comm communicator, const Shape& global, const Box& mine) {
  const Communicator own = Communicator::duplicate(communicator);
  require_same(own, {{"global shape", to_string(global)}});
  std::vector<Index> corners;
  agree(own, [&] {
    if (mine.lower.size() != global.size() || mine.upper.size() != global.size())
      throw Error(fmt::format("box of rank {}: has {} axes; shape {} has {}", own.rank(),
                              mine.axes(), to_string(global), global.size()));
  });
  corners.insert(corners.end(), mine.lower.begin(), mine.lower.end());
  corners.insert(corners.end(), mine.upper.begin(), mine.upper.end());
  const int count = static_cast<int>(corners.size());
  std::vector<Index> all(corners.size() * own.size());
  check_mpi(
      MPI_Allgather(corners.data(), count, MPI_INT64_T, all.data(), count, MPI_INT64_T, own.get()),
      "MPI_Allgather");
  std::vector<Box> boxes;
  for (auto corner = all.begin(); corner != all.end(); corner += count)
    boxes.push_back({Point(corner, corner + count / 2), Point(corner + count / 2, corner + count)});
  return Layout::boxes(global, std::move(boxes));
}

}  // namespace weft
