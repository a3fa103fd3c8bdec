// Planning is collective and fails on all ranks or on none; running never asks what planning could.
#include "session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "plan/describe.hpp"

namespace weft {
namespace {

using Call = CallWatch::Call;

constexpr std::size_t recorded_spans = 1 << 16;  // of either thread: 3 MB each

Side source_of(Direction direction) {
  return direction == Direction::forward ? Side::input : Side::output;
}
Side target_of(Direction direction) {
  return direction == Direction::forward ? Side::output : Side::input;
}

Call call_of(Direction direction, bool into_own_array) {
  if (direction == Direction::forward)
    return into_own_array ? Call::forward_into_own_array : Call::forward;
  return into_own_array ? Call::backward_into_own_array : Call::backward;
}

}  // namespace

PlannedRequest planned(const Job& job, RouteRequest request, const Choice& choice) {
  PlannedRequest plan{std::move(request), {}, choice};
  agree(job.communicator,
        [&] { plan.routes = make_routes(plan.request, job.topology, job.caches); });
  return plan;
}

Session::Session(const Job& job, PlannedRequest plan)
    : plan_(std::move(plan)),
      resources_(job, plan_.routes.forward, plan_.request.options),
      flights_(plan_.request.options.fields) {
  require_thread_level();
  const Options& options = request().options;
  progress_ = std::make_unique<Progress>(options.progress, options.poll_tiles);
  make_programs();
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

/// With arrays=plan a direction that can deliver has no other program, and no windows for one.
void Session::make_programs() {
  constexpr std::array directions{Direction::forward, Direction::backward};
  const bool plan_only = request().options.arrays == Arrays::plan;
  const int fields = request().options.fields;
  std::array<std::optional<ProgramPlan>, 2> plans;
  std::vector<const MemoryPlan*> memory;
  resources_.agree([&] {
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const Route& route = this->route(directions[d]);
      const bool delivers = plan_only && can_deliver(route);
      std::optional<ProgramPlan>& plan = delivers ? way(directions[d]).delivery : plans[d];
      plan = plan_program(delivers ? shape_delivery(route) : shape_program(route, fields), rank());
      memory.push_back(&plan->memory);
    }
  });
  resources_.allocate(memory);
  if (plan_only)
    for (const Side side : {Side::input, Side::output}) own_array(side);
  for (std::size_t d = 0; d < directions.size(); ++d)
    if (plans[d])
      way(directions[d]).to_any = std::make_unique<Program>(
          std::move(*plans[d]), resources_.context(directions[d], fields));
}

std::shared_ptr<void> Session::own_array(Side side) {
  // Forward delivers into the output, backward into the input.
  const Direction direction = side == Side::output ? Direction::forward : Direction::backward;
  Way& way = this->way(direction);
  if (!way.window && !way.memory) {
    const std::size_t bytes = bytes_of(side);
    if (!can_deliver(route(direction))) {
      resources_.agree(
          [&] { way.memory = std::make_shared<AlignedBuffer>(std::max<std::size_t>(bytes, 1)); });
    } else {
      way.window = resources_.make_slot(bytes, false);
      ProgramContext context = resources_.context(direction, 1);
      context.fields.front().target = way.window.get();
      if (!way.delivery) way.delivery = plan_program(shape_delivery(route(direction)), rank());
      way.to_own = std::make_unique<Program>(std::move(*way.delivery), context);
    }
  }
  if (way.window) return {way.window, way.window->own()};
  return {way.memory, way.memory->data()};
}

void Session::abort_on_error(const std::function<void()>& work) const {
  try {
    work();
  } catch (const std::exception& error) {
    if (communicator().size() == 1) throw;
    std::fprintf(stderr, "weft: rank %d: %s\n", rank(), error.what());
    std::fflush(nullptr);
    // MPICH's abort may itself wait for the others. A rank that just dies ends the job as well.
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      std::_Exit(1);
    }).detach();
    MPI_Abort(communicator().get(), 1);
  }
}

/// In place peers may not deliver: they would overwrite what this rank has yet to read.
bool Session::delivers(Direction direction, const void* in, const void* out) const {
  return way(direction).to_own && out == way(direction).own_array() && in != out;
}

/// The program for arrays of that kind, bound to them. `overlapped`: whether anything else may
/// happen while its blocks are on their way.
Program& Session::bind(Direction direction, std::span<const void* const> in,
                       std::span<void* const> out, double scale, int first_field, bool overlapped) {
  const char* const name = direction == Direction::forward ? "forward" : "backward";
  const bool to_own = in.size() == 1 && delivers(direction, in.front(), out.front());
  resources_.watch().announce(call_of(direction, to_own));
  Program* const program = to_own ? way(direction).to_own.get() : way(direction).to_any.get();
  if (program == nullptr)
    throw Error(
        fmt::format("{}: the plan was made with arrays=plan; pass its own input() and "
                    "output() arrays, out of place, one field at a time",
                    name));
  const ArrayMemory source_memory = memory(source_of(direction));
  check_arrays(name, in, source_memory, out, memory(target_of(direction)));
  // Other fields may be in flight, and a thread of ours then tests all exchanges of the program.
  const auto lock = progress_->exclusive();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t field = static_cast<std::size_t>(first_field) + i;
    const void* source = staged(*program, field, in[i], out[i], source_memory.bytes);
    program->bind(static_cast<int>(field), source, out[i], scale);
    program->expect_overlap(static_cast<int>(field), overlapped);
  }
  return *program;
}

void Session::run(Direction direction, std::span<const void* const> in, std::span<void* const> out,
                  double scale) {
  require_nothing_in_flight(direction == Direction::forward ? "forward" : "backward");
  const int fields = static_cast<int>(in.size());
  Program& program = bind(direction, in, out, scale, 0, fields > 1 || is_chunked());
  Run run = fields > 1 ? Run::of_fields(program, fields, *progress_)
                       : Run::of_field(program, 0, in.front() == out.front(), *progress_);
  wait_for(run);
}

bool Session::is_chunked() const {
  return request().options.producer_chunks > 1 || request().options.consumer_chunks > 1;
}

void Session::wait_for(Run& run) const {
  const bool several_nodes = resources_.job().topology.nodes() > 1;
  run.wait([this] { advance_others(); },
           [&] {
             resources_.watch().check();
             if (several_nodes) answer_peers();
           });
}

/// Ranks may wait for different transforms, and each of them needs this rank's part.
void Session::advance_others() const {
  flights_.advance();
  progress_->test();
}

void Session::require_nothing_in_flight(const char* what) const {
  if (flights_.count() == 0) return;
  throw Error(fmt::format(
      "{}: {} transforms of this plan that were started are still in flight; wait for them first",
      what, flights_.count()));
}

std::uint64_t Session::start(Direction direction, const void* in, void* out, double scale) {
  const int fields = request().options.fields;
  const int field = delivers(direction, in, out) ? 0 : flights_.next_field();
  if (flights_.uses(field))
    throw Error(fmt::format(
        "start_{}: the plan has buffers for {} in flight (fields={}), and the transform that uses "
        "the next ones has not been waited for",
        direction == Direction::forward ? "forward" : "backward", fields, fields));
  Program& program = bind(direction, {&in, 1}, {&out, 1}, scale, field, true);
  std::unique_ptr<Run> run(new Run(Run::of_field(program, field, in == out, *progress_)));
  run->advance();
  return flights_.add(field, std::move(run));
}

bool Session::test(std::uint64_t ticket) {
  Run* const run = flights_.find(ticket);
  if (run == nullptr) return true;
  if (!run->advance()) {
    advance_others();
    return false;
  }
  flights_.forget(ticket);
  return true;
}

void Session::wait(std::uint64_t ticket) {
  Run* const run = flights_.find(ticket);
  if (run == nullptr) return;
  wait_for(*run);
  flights_.forget(ticket);
}

/// The input, or a copy of it where a single pass would overwrite it before it is read.
const void* Session::staged(const Program& program, std::size_t field, const void* in,
                            const void* out, std::size_t bytes) {
  if (in != out || bytes == 0 || !program.needs_staging_in_place()) return in;
  staging_.resize(std::max(staging_.size(), field + 1));
  if (staging_[field].size() < bytes) staging_[field] = AlignedBuffer(bytes);
  std::memcpy(staging_[field].data(), in, bytes);
  return staging_[field].data();
}

void Session::prepare_apply() {
  if (round_trip_.program) return;
  const Direction there = analysis_direction(request().transform);
  ProgramPlan plan;
  resources_.agree([&] {
    plan = plan_program(
        shape_round_trip(make_round_trip(route(there), route(reverse(there)), request().options)),
        rank());
    if (plan.memory.arena_bytes > resources_.arena_bytes())
      round_trip_.arena = AlignedBuffer(plan.memory.arena_bytes);
  });
  for (std::size_t w = 0; w < plan.memory.window_bytes.size(); ++w)
    round_trip_.windows.push_back(resources_.window_for(w, plan.memory.window_bytes[w]));
  ProgramContext context = resources_.round_trip_context(there, plan.shape->route.exchanges.size());
  resources_.agree([&] {
    context.wavenumbers = std::make_shared<WavenumberTable>(kept_wavenumbers(request().transform));
    FieldMemory& field = context.fields.front();
    if (round_trip_.arena.size() > 0) field.arena = round_trip_.arena.data();
    field.windows.clear();
    for (const auto& window : round_trip_.windows) field.windows.push_back(window.get());
    round_trip_.program = std::make_unique<Program>(std::move(plan), context);
  });
}

void Session::apply(const void* in, std::span<void* const> outs,
                    const std::vector<RawLineFunction>& functions) {
  require_nothing_in_flight("apply");
  resources_.watch().announce(Call::apply);
  const ArrayMemory memory = this->memory(source_of(analysis_direction(request().transform)));
  check_round_trip_arrays(in, outs, memory);
  Program& program = *round_trip_.program;
  const void* const source = staged(program, 0, in, outs.front(), memory.bytes);
  program.expect_overlap(0, is_chunked());
  for (std::size_t i = 0; i < outs.size(); ++i) {
    program.bind(0, source, outs[i]);
    program.bind_function(&functions[i]);
    Run run = Run::of_part(program, in == outs[i], *progress_, [&](const Action& action) {
      return program.repeats(action, i == 0, i + 1 == outs.size());
    });
    wait_for(run);
  }
}

void Session::run_part(const std::function<bool(const Action&)>& wanted) {
  require_nothing_in_flight("a part of forward");
  resources_.watch().announce(Call::exchanges_only);
  Program& program = const_cast<Program&>(forward_program());
  program.expect_overlap(0, is_chunked());
  Run run = Run::of_part(program, false, *progress_, wanted);
  wait_for(run);
}

/// While this rank waits for flags in shared memory it makes no MPI calls, and with MPICH over UCX
/// a peer's flush may block until its target makes one. So it probes.
void Session::answer_peers() const {
  const auto lock = progress_->exclusive();
  int arrived = 0;
  check_mpi(
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator().get(), &arrived, MPI_STATUS_IGNORE),
      "MPI_Iprobe");
}

std::size_t Session::bytes_of(Side side) const {
  return static_cast<std::size_t>(layout(side).allocated(rank()) * element(side).bytes());
}

ArrayMemory Session::memory(Side side) const {
  return memory_of(layout(side), rank(), element(side));
}

const Program& Session::forward_program() const {
  const Way& forward = way(Direction::forward);
  return forward.to_any ? *forward.to_any : *forward.to_own;
}

std::string Session::describe() const {
  return weft::describe(request(), routes(), resources_.job().topology, rank(), &forward_program(),
                        plan_.choice);
}

std::size_t Session::workspace_bytes() const {
  std::size_t bytes = resources_.bytes() + round_trip_.arena.size();
  for (const AlignedBuffer& staging : staging_) bytes += staging.size();
  for (const auto& window : round_trip_.windows)
    if (!resources_.owns(window)) bytes += window->bytes();
  return bytes + tile_bytes();
}

std::size_t Session::tile_bytes() const {
  std::size_t tiles = 0;
  for (const Way& way : ways_)
    for (const Program* program : {way.to_any.get(), way.to_own.get()})
      tiles += program ? program->tile_bytes() : 0;
  if (round_trip_.program) tiles += round_trip_.program->tile_bytes();
  return tiles;
}

void Session::record(bool on) {
  require_nothing_in_flight("record");
  progress_->record(nullptr);
  if (!on) return;
  recorder_ = std::make_unique<Recorder>(recorded_spans);
  progress_->record(recorder_.get());
}

}  // namespace weft
