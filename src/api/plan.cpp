// The public plan: a thin front of Session.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <weft/plan.hpp>

#include "api/packed_plane.hpp"
#include "make/trial.hpp"
#include "plan/describe.hpp"
#include "session/plan_registry.hpp"
#include "tune/search.hpp"

namespace weft {
namespace {

constexpr const char* making = "make this plan; it takes all of its communicator";

std::shared_ptr<Session> session_for(MPI_Comm communicator, RouteRequest request,
                                     PlanRegistry& registry) {
  Job job;
  Routes routes;
  watched(communicator, request.options, making, [&] {
    registry.free_retired();
    job = join_job(communicator, request.options.ranks_per_node);
    request.options = completed_by_environment(job, request.options, request.transform);
    routes = check_request(job, request);
  });
  return registry.adopt(make_session(job, choose(job, std::move(request), std::move(routes))));
}

/// A call on the plane of the spectrum that holds two planes. Calls work(zero) with a zero of the
/// type of the spectrum's parts.
template <class Work>
void packed_plane_call(Session& session, const char* name, ElementType type, Work&& work) {
  const auto check = [&] {
    require_host(session.plan().request.options.device, name);
    session.ends().check_type(Side::output, type, name);
  };
  session.calls().blocking_call(Calls::Kind::packed_plane, name, check, [&] {
    type.precision == Precision::double_ ? work(0.0) : work(0.0F);
  });
}

}  // namespace

Handle::Handle(Handle&& other) noexcept = default;

Handle& Handle::operator=(Handle&& other) noexcept {
  wait();
  plan_ = std::move(other.plan_);
  ticket_ = other.ticket_;
  return *this;
}

/// A destructor cannot report an error otherwise; with several ranks and errors=abort the job has
/// ended. The caller already knows that a plan has failed.
Handle::~Handle() {
  if (plan_ && plan_->calls().has_failed()) return;
  try {
    wait();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft: a transform in flight: %s\n", error.what());
  }
}

bool Handle::test() {
  if (plan_ && plan_->transforms().test(ticket_)) plan_.reset();
  return !plan_;
}

void Handle::wait() {
  if (plan_) plan_->transforms().wait(ticket_);
  plan_.reset();
}

Plan::Plan(MPI_Comm communicator, const Shape& shape, Kind kind, const Options& options)
    : Plan(communicator, Transform(shape, kind), options) {}

Plan::Plan(MPI_Comm communicator, const Transform& transform, const Options& options)
    : Plan(communicator, transform, Layout(), Layout(), options) {}

Plan::Plan(MPI_Comm communicator, const Transform& transform, const Layout& input,
           const Layout& output, const Options& options)
    : registry_(
          watched(communicator, options, making, [&] { return PlanRegistry::of(communicator); })),
      state_(session_for(communicator, {transform, options, input, output}, *registry_)) {}

Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

Session& Plan::session() const {
  if (!state_) throw Error("plan: it has been moved from or closed");
  return *state_;
}

void Plan::close() {
  if (!state_) return;
  require_no_fork();
  const Options options = session().plan().request.options;
  state_.reset();
  const auto registry = std::move(registry_);
  if (registry->communicator() == MPI_COMM_NULL) return;
  watched(registry->communicator(), options, "close this plan", [&] { registry->free_retired(); });
}

const Transform& Plan::transform() const { return session().plan().request.transform; }
const Options& Plan::options() const { return session().plan().request.options; }
const Layout& Plan::input_layout() const { return session().plan().routes.input; }
const Layout& Plan::output_layout() const { return session().plan().routes.output; }
Box Plan::input_box() const { return input_layout().box(rank()); }
Box Plan::output_box() const { return output_layout().box(rank()); }
Index Plan::input_size() const { return input_box().volume(); }
Index Plan::output_size() const { return output_box().volume(); }
bool Plan::input_is_real() const { return session().plan().routes.input_element.real; }
bool Plan::output_is_real() const { return session().plan().routes.output_element.real; }
ElementType Plan::element_type(Side side) const { return session().ends().type(side); }
int Plan::rank() const { return session().ends().rank(); }

void Plan::sum_over_ranks(std::span<double> values) const {
  session().calls().sum_over_ranks(values);
}

void Plan::agree(const std::function<void()>& work) const { session().calls().agree(work); }

void Plan::refuse(const Error& mistake) {
  session().calls().refuse(mistake);
  throw mistake;  // not reached
}

std::size_t Plan::in_place_bytes() const {
  return std::max(session().ends().bytes(Side::input), session().ends().bytes(Side::output));
}

std::shared_ptr<void> Plan::own_array(Side side, ElementType type) {
  return {state_, session().own_array(side, type).data};
}

const void* Plan::owner() const { return &session().ways(); }

std::shared_ptr<void> Plan::make_array(Side side, ElementType type) const {
  session().ends().check_type(side, type, side == Side::input ? "make_input" : "make_output");
  const std::size_t bytes = std::max<std::size_t>(session().ends().bytes(side), 1);
  const std::shared_ptr<Device> device = session().resources().share_device();
  const Memory memory = device->memory().allocate(bytes, "an array");
  device->memory().clear(memory);
  if (device->stream() == nullptr) return memory.share();
  // Work on the stream may still use the array when its owner drops it.
  return {memory.data(), [memory, device](void*) { device->drain(); }};
}

void Plan::run(Direction direction, std::span<const RawArray> in, std::span<const RawArray> out,
               double scale) {
  session().transforms().run({direction, in, out, scale});
}

Handle Plan::start(Direction direction, const RawArray& in, const RawArray& out, double scale) {
  return {state_, session().transforms().start({direction, {&in, 1}, {&out, 1}, scale})};
}

Box Plan::packed_plane() const { return PackedPlane(transform(), output_layout(), rank()).box(); }

void Plan::run_unpack(const void* spectrum, void* mean, void* nyquist, ElementType type) {
  const PackedPlane plane(transform(), output_layout(), rank());
  packed_plane_call(session(), "unpack_plane", type, [&](auto zero) {
    using T = std::complex<decltype(zero)>;
    plane.unpack(session().resources().job().communicator, static_cast<const T*>(spectrum),
                 static_cast<T*>(mean), static_cast<T*>(nyquist));
  });
}

void Plan::run_pack(const void* mean, const void* nyquist, void* spectrum, ElementType type) {
  const PackedPlane plane(transform(), output_layout(), rank());
  packed_plane_call(session(), "pack_plane", type, [&](auto zero) {
    using T = std::complex<decltype(zero)>;
    plane.pack(static_cast<const T*>(mean), static_cast<const T*>(nyquist),
               static_cast<T*>(spectrum));
  });
}

void Plan::apply(const RawArray& in, std::span<const RawArray> outs, ElementType spectrum_type,
                 const std::vector<RawLineFunction>& functions) {
  session().round_trips().apply(ApplyCall{in, outs, spectrum_type, functions});
}

void Plan::apply(std::span<const RawArray> ins, std::span<const RawArray> outs,
                 ElementType spectrum_type, const RawFieldsFunction& function) {
  session().round_trips().apply(FieldsCall{ins, outs, spectrum_type, function});
}

void Plan::copy(void* to, const void* from, std::size_t bytes) const {
  session().resources().device().copy(to, from, bytes);
  session().resources().device().synchronize();
}

void Plan::synchronize() const { session().resources().device().synchronize(); }

void Plan::set_stream(void* stream) { session().set_stream(stream); }

void Plan::wait_for_stream(void* stream) { session().resources().device().wait_for_stream(stream); }

bool Plan::is_on_device(const void* address) const {
  return session().resources().device().holds(address);
}

Plan::Dlpack Plan::dlpack_device() const {
  const DlpackDevice device = session().resources().device().dlpack_device();
  return {device.kind, device.number};
}

std::string Plan::describe() const { return session().describe(); }
std::size_t Plan::workspace_bytes() const { return session().workspace().bytes; }
std::size_t Plan::tile_bytes() const { return session().workspace().tile_bytes; }
std::string Plan::engine() const { return find_engine(options().engine).name; }
std::vector<std::string> Plan::exchanges() const {
  std::vector<std::string> names;
  for (const ExchangeMethod* method : session().ways().forward_program().route().methods)
    names.push_back(method->name);
  return names;
}
std::vector<Plan::Pass> Plan::passes() const {
  std::vector<Pass> passes;
  for (const Stage& stage : session().ways().forward_program().route().stages)
    passes.push_back({steps_text(stage), stage.from, stage.to});
  return passes;
}
Plan::Traffic Plan::sent() const {
  const Route& route = session().ways().forward_program().route();
  Traffic traffic;
  for (std::size_t e = 0; e < route.exchanges.size(); ++e) {
    const Geometry::Traffic part =
        route.methods[e]->sent(route.exchanges[e], rank(), route.setting);
    traffic.bytes += static_cast<std::size_t>(part.bytes);
    traffic.messages += part.messages;
  }
  return traffic;
}

std::size_t Plan::pass_bytes() const { return session().ways().forward_program().traffic_bytes(); }

std::function<void()> Plan::part(Part part) {
  return part == Part::passes ? passes_alone(session()) : exchanges_alone(session());
}

void Plan::record(bool on) { session().transforms().record(on); }
Trace Plan::trace() const { return session().transforms().trace(); }

std::vector<Trial> tune(MPI_Comm communicator, const Transform& transform, const Options& options,
                        double seconds, const std::function<void(const Trial&)>& report,
                        const Layout& input, const Layout& output) {
  const Job job = join_job(communicator, options.ranks_per_node);
  const RouteRequest request{transform, completed_by_environment(job, options, transform), input,
                             output};
  check_request(job, request);
  agree(job.communicator, [&] {
    if (!(seconds > 0 && std::isfinite(seconds)))
      throw Error(fmt::format("tune: {} seconds given; valid is a positive number", seconds));
  });
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
