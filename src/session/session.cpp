// Planning is collective and fails on all ranks or on none; running never asks what planning could.
#include "session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "machine/caches.hpp"
#include "plan/describe.hpp"

namespace weft {
namespace {

using Call = CallWatch::Call;

constexpr std::size_t recorded_spans = 1 << 16;  // of either thread: 3 MB each

Call call_of(Direction direction, bool into_own_array) {
  if (direction == Direction::forward)
    return into_own_array ? Call::forward_into_own_array : Call::forward;
  return into_own_array ? Call::backward_into_own_array : Call::backward;
}

PlannedRequest verified(PlannedRequest plan, bool verify) {
  plan.request.options.verify |= verify;
  return plan;
}

}  // namespace

PlannedRequest planned(const Job& job, RouteRequest request, const Choice& choice) {
  PlannedRequest plan{std::move(request), {}, choice};
  agree(job.communicator,
        [&] { plan.routes = make_routes(plan.request, job.topology, job.caches); });
  return plan;
}

Session::Session(const Job& job, PlannedRequest plan)
    : plan_(verified(std::move(plan), job.verify)),
      resources_(job, plan_.routes, plan_.request.options),
      stalls_(plan_.request.options.stall_seconds, plan_.request.options.stall_limit,
              [this](const Wait& wait) { return stall_text(wait); }),
      policy_(communicator(), plan_.request.options.errors,
              plan_.request.options.check_calls || job.check_calls, resources_.watch(), stalls_),
      flights_(plan_.request.options.fields) {
  require_thread_level();
  require_features();
  warn_of_too_many_threads();
  const Options& options = request().options;
  progress_ = std::make_unique<Progress>(options.progress, options.poll_tiles);
  if (options.verify)
    for (int field = 0; field < options.fields; ++field)
      certifying_.push_back(Communicator::duplicate(communicator().get()));
  make_programs();
}

/// What is on the stream refers to programs and memory.
Session::~Session() { device().drain(); }

void Session::require_host(const std::string& what) const {
  const std::string& name = request().options.device;
  if (is_host_device(name)) return;
  throw Error(fmt::format("{}: device={} does not have it; valid is device=cpu", what, name));
}

void Session::require_features() const {
  resources_.agree([&] {
    if (request().options.verify) require_host("verify");
  });
}

/// A thread that polls calls MPI while the caller's does.
void Session::require_thread_level() const {
  resources_.agree([&] {
    if (request().options.progress == ProgressPolicy::thread &&
        thread_level() < MPI_THREAD_MULTIPLE)
      throw Error(fmt::format(
          "progress thread: needs MPI_THREAD_MULTIPLE, and MPI was initialized with {}; call "
          "MPI_Init_thread for it, or take adaptive, poll or none",
          thread_level_name()));
  });
}

/// Threads of OpenMP spin while they wait, and take the cores from those that work: 100 times
/// slower has been seen. How they wait is settled when the program starts, so all that is left is
/// advice.
void Session::warn_of_too_many_threads() const {
  static std::atomic<bool> is_said = false;
  const int threads = request().options.threads, ranks = resources_.job().node.size();
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  const bool is_passive = policy != nullptr && (*policy == 'p' || *policy == 'P');
  if (threads == 1 || is_passive || resources_.job().node.rank() != 0) return;
  if (threads <= machine_cores() && threads * ranks <= node_cores()) return;
  if (is_said.exchange(true)) return;
  std::fprintf(stderr,
               "weft: %d ranks with %d threads each share %d cores: threads that wait keep others "
               "from working; start fewer, or set OMP_WAIT_POLICY=passive\n",
               ranks, threads, std::min(node_cores(), ranks * machine_cores()));
}

/// With arrays=plan a direction that can deliver has no other program, and no windows for one.
void Session::make_programs() {
  constexpr std::array directions{Direction::forward, Direction::backward};
  const bool plan_only = request().options.arrays == Arrays::plan;
  const int fields = request().options.fields;
  std::array<std::optional<ProgramPlan>, 2> plans;
  std::vector<const MemoryPlan*> memory;
  resources_.agree([&] {
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const ProgramPlan plan =
          plan_program(shape_for(route(directions[d]), request().options), rank());
      std::optional<ProgramPlan>& kept =
          plan.shape->delivers ? way(directions[d]).delivery : plans[d];
      kept = plan;
      memory.push_back(&kept->memory);
    }
  });
  resources_.allocate(memory);
  resources_.settle_device_path();
  if (plan_only)
    for (const Side side : {Side::input, Side::output}) made_own_array(side);
  for (std::size_t d = 0; d < directions.size(); ++d)
    if (plans[d])
      way(directions[d]).to_any = std::make_unique<Program>(
          std::move(*plans[d]), resources_.context(directions[d], fields));
}

/// Ranks must agree, and each sees only its own arrays: so only who passes the plan's own array as
/// such asks for it. In place peers may not deliver: they would overwrite what this rank has yet to
/// read.
bool Session::delivers(const TransformCall& call) const {
  const Way& way = this->way(call.direction);
  if (!way.to_own || call.in.size() != 1 || call.out.size() != 1) return false;
  const RawArray& out = call.out.front();
  return out.owner == this && out.data == way.own_array() && call.in.front().data != out.data;
}

/// Null where the plan has none for such arrays.
Program* Session::program_for(const TransformCall& call) const {
  const Way& way = this->way(call.direction);
  return delivers(call) ? way.to_own.get() : way.to_any.get();
}

void Session::check_type(Side side, ElementType type, const std::string& what) const {
  check_element_type(what, type, type_of(side));
}

void Session::check(const TransformCall& call, const std::string& name) const {
  if (!std::isfinite(call.scale))
    throw Error(fmt::format("{}: scale {} given; valid is a finite number", name, call.scale));
  const auto most = static_cast<std::size_t>(request().options.fields);
  if (call.in.size() != call.out.size() || call.in.empty() || call.in.size() > most)
    throw Error(
        fmt::format("fields: {} inputs and {} outputs given; valid is the same number of both, 1 "
                    "to the plan's fields={}",
                    call.in.size(), call.out.size(), most));
  if (program_for(call) == nullptr)
    throw Error(
        fmt::format("{}: the plan was made with arrays=plan; pass its own input() and "
                    "output() arrays, out of place, one field at a time",
                    name));
  check_arrays(name, end_of(source_of(call.direction), call.in),
               end_of(target_of(call.direction), call.out));
}

ArrayEnd Session::end_of(Side side, std::span<const RawArray> fields) const {
  return {fields, type_of(side), memory(side), device()};
}

std::string Session::text(const std::string& name) const {
  return fmt::format("{}, after {} calls", name, resources_.watch().calls());
}

/// What all ranks must have in common.
std::string Session::text(const TransformCall& call, const std::string& name) const {
  return text(fmt::format("{} of {} fields{}, scale {}", name, call.in.size(),
                          delivers(call) ? " into the plan's array" : "", call.scale));
}

std::uint64_t Session::announce(const TransformCall& call) {
  const std::uint64_t detail = std::hash<double>()(call.scale) * 31 + call.in.size();
  return resources_.watch().announce(call_of(call.direction, delivers(call)),
                                     detail ^ detail >> 32 ^ detail >> 16);
}

/// The program for arrays of that kind, bound to them. `overlapped`: whether anything else may
/// happen while its blocks are on their way.
Program& Session::bind(const TransformCall& call, int first_field, bool overlapped) {
  Program& program = *program_for(call);
  const std::size_t bytes = memory(source_of(call.direction)).bytes;
  const Side target_side = target_of(call.direction);
  const DeviceCopies::Sizes sizes{bytes, memory(target_side).bytes, layout(target_side).has_gaps()};
  // Other fields may be in flight, and a thread of ours then tests all exchanges of the program.
  const auto lock = progress_->exclusive();
  for (std::size_t i = 0; i < call.in.size(); ++i) {
    const std::size_t field = static_cast<std::size_t>(first_field) + i;
    const auto [in, out] = device_copies_.bind(field, call.in[i].data, call.out[i].data, sizes);
    const void* const source = staged(program, field, in, out, bytes);
    program.bind(static_cast<int>(field), source, out, call.scale);
    program.expect_overlap(static_cast<int>(field), overlapped);
  }
  return program;
}

void Session::run(const TransformCall& call) {
  const char* const name = call.direction == Direction::forward ? "forward" : "backward";
  policy_.call([&] { return text(call, name); },
               [&] {
                 require_nothing_in_flight(name);
                 check(call, name);
               },
               [&] { execute(call, announce(call)); });
}

void Session::execute(const TransformCall& call, std::uint64_t number) {
  const int fields = static_cast<int>(call.in.size());
  const bool in_place = call.in.front().data == call.out.front().data;
  Program& program = bind(call, 0, fields > 1 || asks_again());
  Run run = fields > 1 ? Run::of_fields(program, fields, *progress_)
                       : Run::of_field(program, 0, *progress_, in_place);
  certify(run, program, 0, fields, call.direction == Direction::forward ? "forward" : "backward");
  drained_on_error(device(), [&] { wait_for(run, number); });
  for (std::size_t field = 0; field < call.out.size(); ++field) device_copies_.deliver(field);
}

void Session::certify(Run& run, Program& program, int first, int count, const char* name) {
  if (certifying_.empty()) return;
  run.certify(std::make_unique<Certificate>(certifying_[static_cast<std::size_t>(first)], program,
                                            CertifiedCall{first, count, name}));
}

/// Whether exchanges are asked again and again rather than block in MPI: where other work goes on
/// meanwhile, and where a rank that waits must see that another has left the call with an error.
bool Session::asks_again() const {
  const Options& options = request().options;
  return options.producer_chunks > 1 || options.consumer_chunks > 1 ||
         options.errors == ErrorPolicy::raise;
}

void Session::require_nothing_in_flight(const char* what) const {
  if (flights_.count() == 0) return;
  throw Error(fmt::format(
      "{}: {} transforms of this plan that were started are still in flight; wait for them first",
      what, flights_.count()));
}

void Session::check_free(int field, const std::string& name) const {
  const int fields = request().options.fields;
  if (flights_.uses(field))
    throw Error(fmt::format(
        "{}: the plan has buffers for {} in flight (fields={}), and the transform that uses "
        "the next ones has not been waited for",
        name, fields, fields));
}

std::uint64_t Session::start(const TransformCall& call) {
  const char* const name =
      call.direction == Direction::forward ? "start_forward" : "start_backward";
  const int field = delivers(call) ? 0 : flights_.next_field();
  const FlightArrays arrays{call.in.front().data, memory(source_of(call.direction)),
                            call.out.front().data, memory(target_of(call.direction))};
  std::uint64_t ticket = 0;
  policy_.call(
      [&] { return text(call, name); },
      [&] {
        check(call, name);
        check_free(field, name);
        if (flights_.disturbs(arrays))
          throw Error(fmt::format(
              "{}: its arrays overlap those of a transform in flight; wait for that first", name));
      },
      [&] {
        if (!delivers(call)) flights_.take_turn();
        ticket = announce(call);
        Program& program = bind(call, field, true);
        const bool in_place = arrays.in == arrays.out;
        std::unique_ptr<Run> run(new Run(Run::of_field(program, field, *progress_, in_place)));
        certify(*run, program, field, 1, name);
        drained_on_error(device(), [&] { run->advance(); });
        flights_.add(ticket, field, arrays, std::move(run));
      });
  return ticket;
}

bool Session::test(std::uint64_t ticket) {
  Run* const run = flights_.find(ticket);
  if (run == nullptr) return true;
  bool is_over = false;
  policy_.proceed([&] {
    drained_on_error(device(), [&] { is_over = run->advance(); });
    if (!is_over) return advance_others();
    drained_on_error(device(), [&] { resources_.watch().check(ticket); });
    device_copies_.deliver(flights_.field_of(ticket));
    const std::string failure = run->failure();
    flights_.forget(ticket);
    if (!failure.empty()) throw SharedError(failure, Error::Cause::data);
  });
  return is_over;
}

void Session::wait(std::uint64_t ticket) {
  Run* const run = flights_.find(ticket);
  if (run == nullptr) return;
  policy_.proceed([&] {
    try {
      drained_on_error(device(), [&] { wait_for(*run, ticket); });
    } catch (const SharedError&) {
      flights_.forget(ticket);
      throw;
    }
    device_copies_.deliver(flights_.field_of(ticket));
    flights_.forget(ticket);
  });
}

void Session::finish_flights() {
  while (flights_.count() > 0) wait(flights_.oldest());
  resources_.watch().finish();
}

void Session::run_part(const std::function<bool(const Action&)>& wanted) {
  const char* const name = "a part of forward";
  policy_.call([&] { return text(name); }, [&] { require_nothing_in_flight(name); },
               [&] {
                 const std::uint64_t number = resources_.watch().announce(Call::exchanges_only, 0);
                 Program& program = const_cast<Program&>(forward_program());
                 program.expect_overlap(0, asks_again());
                 Run run = Run::of_part(program, *progress_, wanted);
                 wait_for(run, number);
                 device().synchronize();
               });
}

const Program& Session::forward_program() const {
  const Way& forward = way(Direction::forward);
  return forward.to_any ? *forward.to_any : *forward.to_own;
}

std::string Session::describe() const {
  const Job& job = resources_.job();
  return weft::describe(request(), routes(), job.topology, job.caches, rank(), &forward_program(),
                        plan_.choice) +
         resources_.describe();
}

void Session::record(bool on) {
  require_nothing_in_flight("record");
  progress_->record(nullptr);
  if (!on) return;
  recorder_ = std::make_unique<Recorder>(recorded_spans);
  progress_->record(recorder_.get());
}

}  // namespace weft
