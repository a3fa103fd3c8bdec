// The public plan: a thin front of Session.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <weft/plan.hpp>

#include "session/packed_plane.hpp"
#include "session/session.hpp"
#include "tune/search.hpp"
#include "tune/trial.hpp"

namespace weft {
namespace {

std::string element_name(Precision precision, bool real) {
  return real ? to_string(precision) : fmt::format("std::complex<{}>", to_string(precision));
}

void check_scale(const std::string& call, double scale) {
  if (!std::isfinite(scale))
    throw Error(fmt::format("{}: scale {} given; valid is a finite number", call, scale));
}

std::shared_ptr<Session> session_for(MPI_Comm communicator, RouteRequest request) {
  const Job job = join_job(communicator, request.options.ranks_per_node);
  Routes routes = check_request(job, request);
  const Options asked = request.options;
  const Choice choice = choose(job, request);
  if (request.options != asked) return make_session(job, planned(job, std::move(request), choice));
  return make_session(job, {std::move(request), std::move(routes), choice});
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
    : state_(session_for(communicator, {transform, options, input, output})) {}

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
  return std::max(state_->bytes_of(Side::input), state_->bytes_of(Side::output));
}

std::shared_ptr<void> Plan::own_array(Side side, ElementType type) {
  check_type(side, type, side == Side::input ? "input" : "output");
  return state_->own_array(side);
}

void Plan::check_type(Side side, ElementType type, const std::string& what) const {
  const bool real = side == Side::input ? input_is_real() : output_is_real();
  const Precision precision = transform().precision;
  if (type.real != real || type.precision != precision)
    throw Error(fmt::format("{}: elements of type {} given; this plan's are {}", what,
                            element_name(type.precision, type.real),
                            element_name(precision, real)));
}

void Plan::run(Direction direction, std::span<const void* const> in, ElementType in_type,
               std::span<void* const> out, ElementType out_type, double scale) {
  state_->abort_on_error([&] {
    const bool forward = direction == Direction::forward;
    check_type(forward ? Side::input : Side::output, in_type,
               forward ? "forward: input" : "backward: input");
    check_type(forward ? Side::output : Side::input, out_type,
               forward ? "forward: output" : "backward: output");
    const auto most = static_cast<std::size_t>(options().fields);
    if (in.size() != out.size() || in.empty() || in.size() > most)
      throw Error(
          fmt::format("fields: {} inputs and {} outputs given; valid is the same number of both, 1 "
                      "to the plan's fields={}",
                      in.size(), out.size(), most));
    check_scale(forward ? "forward" : "backward", scale);
    state_->run(direction, in, out, scale);
  });
}

Handle Plan::start(Direction direction, const void* in, ElementType in_type, void* out,
                   ElementType out_type, double scale) {
  std::uint64_t ticket = 0;
  state_->abort_on_error([&] {
    const bool forward = direction == Direction::forward;
    const std::string name = forward ? "start_forward" : "start_backward";
    check_type(forward ? Side::input : Side::output, in_type, name + ": input");
    check_type(forward ? Side::output : Side::input, out_type, name + ": output");
    check_scale(name, scale);
    ticket = state_->start(direction, in, out, scale);
  });
  return {state_, ticket};
}

Box Plan::packed_plane() const { return PackedPlane(transform(), output_layout(), rank()).box(); }

void Plan::run_unpack(const void* spectrum, void* mean, void* nyquist, ElementType type) {
  const PackedPlane plane(transform(), output_layout(), rank());
  state_->abort_on_error([&] {
    check_type(Side::output, type, "unpack_plane");
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
    check_type(Side::output, type, "pack_plane");
    const auto pack = [&](auto zero) {
      using T = std::complex<decltype(zero)>;
      plane.pack(static_cast<const T*>(mean), static_cast<const T*>(nyquist),
                 static_cast<T*>(spectrum));
    };
    type.precision == Precision::double_ ? pack(0.0) : pack(0.0F);
  });
}

void Plan::apply(const void* in, ElementType type, std::span<void* const> outs,
                 ElementType spectrum_type, const std::vector<RawLineFunction>& functions) {
  state_->prepare_apply();
  state_->abort_on_error([&] {
    const bool forward = analysis_direction(transform()) == Direction::forward;
    check_type(forward ? Side::input : Side::output, type, "apply: arrays");
    check_type(forward ? Side::output : Side::input, spectrum_type, "apply: spectrum");
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
  std::vector<std::string> names;
  for (const ExchangeMethod* method : state_->forward_program().route().methods)
    names.push_back(method->name);
  return names;
}
Plan::Traffic Plan::sent() const {
  const Route& route = state_->forward_program().route();
  Traffic traffic;
  for (std::size_t e = 0; e < route.exchanges.size(); ++e) {
    const Geometry::Traffic part =
        route.methods[e]->sent(route.exchanges[e], rank(), route.setting);
    traffic.bytes += static_cast<std::size_t>(part.bytes);
    traffic.messages += part.messages;
  }
  return traffic;
}

std::size_t Plan::pass_bytes() const { return state_->forward_program().traffic_bytes(); }

std::function<void()> Plan::part(Part part) {
  return part == Part::passes ? passes_alone(*state_) : exchanges_alone(*state_);
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
