// Planning is collective and fails on all ranks or on none; running never asks what planning could.
#include "session/plan_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "machine/cache_line.hpp"
#include "plan/describe.hpp"

namespace weft {
namespace {

std::size_t bytes_of(const Layout& layout, int rank, const Element& element) {
  return static_cast<std::size_t>(layout.box(rank).volume() * element.bytes());
}

bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(a);
  const auto second = reinterpret_cast<std::uintptr_t>(b);
  return first < second + b_bytes && second < first + a_bytes;
}

constexpr std::size_t call_stride = line_bytes;
constexpr std::size_t recorded_spans = 1 << 16;  // of either thread: 3 MB each
constexpr int variants = 6;  // two of forward, two of backward, apply, the exchanges alone

}  // namespace

PlanState::PlanState(const Job& job, RouteRequest request, Choice choice)
    : request_(std::move(request)),
      choice_(choice),
      communicator_(job.communicator),
      node_(job.node),
      topology_(job.topology) {
  agree(communicator_, [&] { routes_ = make_routes(request_, topology_, machine_caches()); });
  require_thread_level();
  progress_ = std::make_unique<Progress>(request_.options.progress, request_.options.poll_tiles);
  direction(true).route = &routes_.forward;
  direction(false).route = &routes_.backward;
  connect();
  allocate();
  make_programs();
}

/// A thread that polls calls MPI while the caller's does.
void PlanState::require_thread_level() const {
  agree(communicator_, [&] {
    if (request_.options.progress == ProgressPolicy::thread && thread_level() < MPI_THREAD_MULTIPLE)
      throw Error(fmt::format(
          "progress thread: needs MPI_THREAD_MULTIPLE, and MPI was initialized with {}; call "
          "MPI_Init_thread for it, or take adaptive, poll or none",
          thread_level_name()));
  });
}

void PlanState::connect() {
  node_ranks_.assign(communicator_.size(), -1);
  int count = 0;
  for (int rank = 0; rank < communicator_.size(); ++rank)
    if (topology_.node[rank] == topology_.node[communicator_.rank()]) node_ranks_[rank] = count++;
  for (const Geometry& geometry : routes_.forward.exchanges) {
    const int color = geometry.group_of(communicator_.rank()).front();
    std::vector<Communicator> fields;
    for (int field = 0; field < request_.options.fields; ++field)
      fields.push_back(communicator_.split(color, communicator_.rank()));
    groups_.push_back(std::move(fields));
  }
}

std::shared_ptr<SharedSlot> PlanState::make_slot(std::size_t bytes, bool open) {
  if (!calls_) {
    calls_ = std::make_unique<SharedSegment>(node_, call_stride);
    std::memset(calls_->own(), 0, call_stride);
    check_mpi(MPI_Barrier(node_.get()), "MPI_Barrier");
  }
  const Options& options = request_.options;
  const int chunks = std::max({1, options.producer_chunks, options.consumer_chunks});
  return std::make_shared<SharedSlot>(node_, node_ranks_, bytes, chunks, open);
}

/// One arena and one set of windows for each field serve both directions, which never run at once.
void PlanState::allocate() {
  const bool plan_only = request_.options.arrays == Arrays::plan;
  std::size_t arena = 0;
  std::vector<std::size_t> windows;
  agree(communicator_, [&] {
    for (const Direction& way : directions_) {
      const bool delivers = plan_only && can_deliver(*way.route);
      const MemoryPlan memory =
          plan_memory(delivers ? shape_delivery(*way.route)
                               : shape_program(*way.route, request_.options.fields),
                      rank());
      arena = std::max(arena, memory.arena_bytes);
      windows.resize(std::max(windows.size(), memory.window_bytes.size()), 0);
      for (std::size_t w = 0; w < memory.window_bytes.size(); ++w)
        windows[w] = std::max(windows[w], memory.window_bytes[w]);
    }
    for (int field = 0; field < request_.options.fields; ++field) arenas_.emplace_back(arena);
  });
  windows_.resize(request_.options.fields);
  for (auto& field : windows_)
    for (std::size_t bytes : windows) field.push_back(make_slot(bytes, true));
}

ProgramContext PlanState::context(int fields) const {
  ProgramContext context;
  context.rank = rank();
  context.caches = &machine_caches();
  context.options = request_.options;
  context.communicators = groups_;
  for (int field = 0; field < fields; ++field) {
    FieldMemory memory;
    memory.arena = arenas_[field].data();
    for (const auto& window : windows_[field]) memory.windows.push_back(window.get());
    context.fields.push_back(std::move(memory));
  }
  return context;
}

void PlanState::make_programs() {
  if (request_.options.arrays == Arrays::plan) {
    own_array(true);
    own_array(false);
  }
  for (bool forward : {true, false}) {
    Direction& way = direction(forward);
    if (way.to_own && request_.options.arrays == Arrays::plan) continue;
    ProgramContext bound = context(request_.options.fields);
    if (!forward) std::ranges::reverse(bound.communicators);
    bound.agree = [this](const auto& work) { agree(communicator_, work); };
    way.to_any =
        std::make_unique<Program>(shape_program(*way.route, request_.options.fields), bound);
  }
}

std::shared_ptr<void> PlanState::own_array(bool is_input) {
  OwnArray& array = array_of(is_input);
  if (array.data() == nullptr && !array.window && !array.memory) {
    // Forward delivers into the output, backward into the input.
    Direction& way = direction(!is_input);
    const std::size_t bytes = is_input ? input_bytes() : output_bytes();
    if (!can_deliver(*way.route)) {
      agree(communicator_, [&] {
        array.memory = std::make_shared<AlignedBuffer>(std::max<std::size_t>(bytes, 1));
      });
    } else {
      array.window = make_slot(bytes, false);
      ProgramContext bound = context(1);
      if (is_input) std::ranges::reverse(bound.communicators);
      bound.agree = [this](const auto& work) { agree(communicator_, work); };
      bound.fields.front().target = array.window.get();
      way.to_own = std::make_unique<Program>(shape_delivery(*way.route), bound);
    }
  }
  if (array.window) return {array.window, array.window->own()};
  return {array.memory, array.memory->data()};
}

void PlanState::abort_on_error(const std::function<void()>& work) const {
  try {
    work();
  } catch (const std::exception& error) {
    if (communicator_.size() == 1) throw;
    std::fprintf(stderr, "weft: rank %d: %s\n", rank(), error.what());
    std::fflush(nullptr);
    // MPICH's abort may itself wait for the others. A rank that just dies ends the job as well.
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      std::_Exit(1);
    }).detach();
    MPI_Abort(communicator_.get(), 1);
  }
}

/// In place peers may not deliver: they would overwrite what this rank has yet to read.
bool PlanState::delivers(bool forward, const void* in, const void* out) const {
  return direction(forward).to_own && out == arrays_[forward ? 1 : 0].data() && in != out;
}

Program& PlanState::bind(bool forward, const std::vector<const void*>& in,
                         const std::vector<void*>& out, int first_field, bool overlapped) {
  Direction& way = direction(forward);
  const bool to_own = in.size() == 1 && delivers(forward, in.front(), out.front());
  announce((forward ? 0 : 2) + (to_own ? 1 : 0));
  Program* const program = to_own ? way.to_own.get() : way.to_any.get();
  if (program == nullptr)
    throw Error(
        fmt::format("{}: the plan was made with arrays=plan; pass its own input() and "
                    "output() arrays, out of place, one field at a time",
                    forward ? "forward" : "backward"));
  check_arrays(forward, in, out);
  const std::size_t bytes = forward ? input_bytes() : output_bytes();
  // Other fields may be in flight, and a thread of ours then tests all exchanges of the program.
  const auto lock = progress_->exclusive();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t field = first_field + i;
    const void* source = staged(*program, field, in[i], out[i], bytes);
    program->bind(static_cast<int>(field), source, out[i]);
    program->expect_overlap(static_cast<int>(field), overlapped);
  }
  return *program;
}

void PlanState::run(bool forward, const std::vector<const void*>& in,
                    const std::vector<void*>& out) {
  require_nothing_in_flight(forward ? "forward" : "backward");
  const int fields = static_cast<int>(in.size());
  Program& program = bind(forward, in, out, 0, fields > 1 || is_chunked());
  Run run = fields > 1 ? Run::of_fields(program, fields, *progress_)
                       : Run::of_field(program, 0, in.front() == out.front(), *progress_);
  wait_for(run);
}

bool PlanState::is_chunked() const {
  return request_.options.producer_chunks > 1 || request_.options.consumer_chunks > 1;
}

void PlanState::wait_for(Run& run) const {
  run.wait([this] { go_on(); },
           [this] {
             if (calls_) watch_peers();
             if (node_.size() < communicator_.size()) answer_peers();
           });
}

/// Ranks may wait for different transforms, and each of them needs this rank's part.
void PlanState::go_on() const {
  for (const InFlight& one : in_flight_) one.run->advance();
  progress_->test();
}

void PlanState::require_nothing_in_flight(const char* what) const {
  if (in_flight_.empty()) return;
  throw Error(fmt::format(
      "{}: {} transforms of this plan that were started are still in flight; wait for them first",
      what, in_flight_.size()));
}

/// Fields take turns, so that every rank takes the same one whatever has ended on it already.
std::uint64_t PlanState::start(bool forward, const void* in, void* out) {
  const int fields = request_.options.fields;
  const int field = delivers(forward, in, out) ? 0 : next_field_++ % fields;
  if (std::ranges::find(in_flight_, field, &InFlight::field) != in_flight_.end())
    throw Error(fmt::format(
        "start_{}: the plan has buffers for {} in flight (fields={}), and the transform that uses "
        "the next ones has not been waited for",
        forward ? "forward" : "backward", fields, fields));
  Program& program = bind(forward, {in}, {out}, field, true);
  std::unique_ptr<Run> run(new Run(Run::of_field(program, field, in == out, *progress_)));
  run->advance();
  in_flight_.push_back({++tickets_, field, std::move(run)});
  return tickets_;
}

Run* PlanState::find_run(std::uint64_t ticket) {
  const auto found = std::ranges::find(in_flight_, ticket, &InFlight::ticket);
  return found == in_flight_.end() ? nullptr : found->run.get();
}

void PlanState::forget(std::uint64_t ticket) {
  std::erase_if(in_flight_, [&](const InFlight& one) { return one.ticket == ticket; });
}

bool PlanState::test(std::uint64_t ticket) {
  Run* const run = find_run(ticket);
  if (run == nullptr) return true;
  if (!run->advance()) {
    go_on();
    return false;
  }
  forget(ticket);
  return true;
}

void PlanState::wait(std::uint64_t ticket) {
  Run* const run = find_run(ticket);
  if (run == nullptr) return;
  wait_for(*run);
  forget(ticket);
}

/// The input, or a copy of it where a lone pass would overwrite it before it is read.
const void* PlanState::staged(const Program& program, std::size_t field, const void* in,
                              const void* out, std::size_t bytes) {
  if (in != out || bytes == 0 || !program.needs_staging_in_place()) return in;
  staging_.resize(std::max(staging_.size(), field + 1));
  if (staging_[field].size() < bytes) staging_[field] = AlignedBuffer(bytes);
  std::memcpy(staging_[field].data(), in, bytes);
  return staging_[field].data();
}

/// One of the plan's windows where it is large enough on all ranks, else a new one.
std::shared_ptr<SharedSlot> PlanState::window_for(std::size_t number, std::size_t bytes) {
  const auto& own = windows_.front();
  int fits = number < own.size() && own[number]->bytes() >= bytes;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, communicator_.get()),
            "MPI_Allreduce");
  return fits ? own[number] : make_slot(bytes, true);
}

void PlanState::prepare_apply() {
  if (round_trip_.program) return;
  const bool forth = forward_is_analysis(request_.transform);
  ProgramShape shape;
  MemoryPlan memory;
  agree(communicator_, [&] {
    shape = shape_round_trip(
        make_round_trip(*direction(forth).route, *direction(!forth).route, request_.options));
    memory = plan_memory(shape, rank());
    if (memory.arena_bytes > arenas_.front().size())
      round_trip_.arena = AlignedBuffer(memory.arena_bytes);
  });
  for (std::size_t w = 0; w < memory.window_bytes.size(); ++w)
    round_trip_.windows.push_back(window_for(w, memory.window_bytes[w]));
  agree(communicator_, [&] {
    ProgramContext bound = context(1);
    bound.wavenumbers = std::make_shared<WavenumberTable>(kept_wavenumbers(request_.transform));
    FieldMemory& field = bound.fields.front();
    if (round_trip_.arena.size() > 0) field.arena = round_trip_.arena.data();
    field.windows.clear();
    for (const auto& window : round_trip_.windows) field.windows.push_back(window.get());
    // The first exchanges of analysis, then the last of synthesis, which pass the same groups.
    auto there = groups_;
    if (!forth) std::ranges::reverse(there);
    const std::size_t half = shape.route.exchanges.size() / 2;
    bound.communicators.assign(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(half));
    for (std::size_t e = half; e-- > 0;) bound.communicators.push_back(there[e]);
    round_trip_.program = std::make_unique<Program>(std::move(shape), bound);
  });
}

void PlanState::apply(const void* in, const std::vector<void*>& outs,
                      const std::vector<RawLineFunction>& functions) {
  require_nothing_in_flight("apply");
  announce(4);
  const std::size_t bytes =
      forward_is_analysis(request_.transform) ? input_bytes() : output_bytes();
  std::vector<const void*> arrays{in};
  arrays.insert(arrays.end(), outs.begin(), outs.end());
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    if (arrays[a] == nullptr && bytes > 0)
      throw Error(fmt::format("apply: {} is null, but this rank holds {} bytes of it",
                              a == 0 ? "the input" : "an output", bytes));
    for (std::size_t b = 0; b < a; ++b) {
      const bool in_place = outs.size() == 1 && arrays[a] == arrays[b];
      if (!in_place && overlap(arrays[a], bytes, arrays[b], bytes))
        throw Error(
            "apply: arrays overlap; pass the same pointer for in place (with one output), or "
            "arrays apart from each other");
    }
  }
  Program& program = *round_trip_.program;
  const void* const source = staged(program, 0, in, outs.front(), bytes);
  program.expect_overlap(0, is_chunked());
  const int fused = program.held() + 1;
  // One array holds what arrives and what results: there is nothing to come back to.
  const bool all_again = program.works_in_result_array();
  const auto pass_of = [](const Action& action) {
    using Verb = Action::Verb;
    return action.stage + (action.verb == Verb::finish || action.verb == Verb::release ? 1 : 0);
  };
  for (std::size_t i = 0; i < outs.size(); ++i) {
    program.bind(0, source, outs[i]);
    program.bind_function(&functions[i]);
    Run run = Run::of_part(program, in == outs[i], *progress_, [&](const Action& action) {
      // What arrived for the fused pass stays until it has been read for the last time.
      const bool before = pass_of(action) < fused ||
                          (pass_of(action) == fused && action.verb == Action::Verb::finish);
      const bool behind = pass_of(action) == fused && action.verb == Action::Verb::release;
      return all_again || (before ? i == 0 : !behind || i + 1 == outs.size());
    });
    wait_for(run);
  }
}

void PlanState::check_arrays(bool forward, const std::vector<const void*>& in,
                             const std::vector<void*>& out) const {
  const std::size_t in_bytes = forward ? input_bytes() : output_bytes();
  const std::size_t out_bytes = forward ? output_bytes() : input_bytes();
  const char* const name = forward ? "forward" : "backward";
  for (std::size_t field = 0; field < in.size(); ++field) {
    if (in[field] == nullptr && in_bytes > 0)
      throw Error(
          fmt::format("{}: the input is null, but this rank holds {} bytes of it", name, in_bytes));
    if (out[field] == nullptr && out_bytes > 0)
      throw Error(fmt::format("{}: the output is null, but this rank holds {} bytes of it", name,
                              out_bytes));
    for (std::size_t other = 0; other < in.size(); ++other) {
      const bool in_place = field == other && in[field] == out[field];
      if (!in_place && overlap(in[other], in_bytes, out[field], out_bytes))
        throw Error(
            fmt::format("{}: input and output overlap; pass the same pointer for in place, or "
                        "arrays apart from each other",
                        name));
      if (field != other && overlap(out[other], out_bytes, out[field], out_bytes))
        throw Error(fmt::format("{}: the outputs of fields {} and {} overlap", name, field, other));
    }
  }
}

/// Says in shared memory which call this rank is in, and with which kind of array.
void PlanState::announce(int variant) {
  ++call_;
  if (!calls_) return;
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(calls_->own()))
      .store(call_ * variants + variant, std::memory_order_release);
}

/// Throws where a rank of the node is in the same call with another direction or kind of array:
/// waiting for it would never end.
void PlanState::watch_peers() const {
  const auto state_of = [&](int node_rank) {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(calls_->of(node_rank)))
        .load(std::memory_order_acquire);
  };
  const std::uint64_t mine = state_of(node_.rank());
  for (int peer = 0; peer < node_.size(); ++peer) {
    const std::uint64_t theirs = state_of(peer);
    if (theirs / variants == mine / variants && theirs != mine)
      throw Error(
          "ranks disagree: all must call the same of forward and backward, and all with the "
          "plan's own result array or none");
  }
}

/// Who waits for the memory of its node calls no MPI otherwise, and there are MPIs in which a
/// peer's flush does not end until it does, although nothing was put here (MPICH over UCX).
void PlanState::answer_peers() const {
  const auto lock = progress_->exclusive();
  int arrived = 0;
  check_mpi(
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_.get(), &arrived, MPI_STATUS_IGNORE),
      "MPI_Iprobe");
}

double PlanState::trial_error() {
  const std::shared_ptr<void> in = own_array(true), out = own_array(false);
  const std::size_t bytes = output_bytes();
  std::vector<std::byte> first(bytes);
  const auto trial = [&](auto zero) {
    using Real = decltype(zero);
    std::mt19937_64 random(static_cast<std::uint64_t>(rank()) + 1);
    std::uniform_real_distribution<Real> values(-1, 1);
    std::generate_n(static_cast<Real*>(in.get()), input_bytes() / sizeof(Real),
                    [&] { return values(random); });
    run(true, {in.get()}, {out.get()});
    std::memcpy(first.data(), out.get(), bytes);
    run(false, {out.get()}, {in.get()});
    run(true, {in.get()}, {out.get()});
    double sums[2] = {0, 0};
    for (std::size_t i = 0; i < bytes / sizeof(Real); ++i) {
      const double before = reinterpret_cast<const Real*>(first.data())[i];
      const double after = static_cast<const Real*>(out.get())[i];
      sums[0] += (after - before) * (after - before);
      sums[1] += before * before;
    }
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, communicator_.get()),
              "MPI_Allreduce");
    return sums[1] > 0 ? std::sqrt(sums[0] / sums[1]) : 0;
  };
  return request_.transform.precision == Precision::double_ ? trial(0.0) : trial(0.0F);
}

std::size_t PlanState::input_bytes() const {
  return bytes_of(routes_.input, rank(), routes_.input_element);
}

std::size_t PlanState::output_bytes() const {
  return bytes_of(routes_.output, rank(), routes_.output_element);
}

const Program& PlanState::forward_program() const {
  const Direction& way = direction(true);
  return way.to_any ? *way.to_any : *way.to_own;
}

std::string PlanState::describe() const {
  return weft::describe(request_, routes_, topology_, rank(), &forward_program(), choice_);
}

std::size_t PlanState::workspace_bytes() const {
  std::size_t bytes = 0;
  for (const AlignedBuffer& staging : staging_) bytes += staging.size();
  for (const AlignedBuffer& arena : arenas_) bytes += arena.size();
  bytes += round_trip_.arena.size();
  for (const auto& window : round_trip_.windows)
    if (std::ranges::find(windows_.front(), window) == windows_.front().end())
      bytes += window->bytes();
  for (const auto& field : windows_)
    for (const auto& window : field) bytes += window->bytes();
  std::size_t tiles = 0;
  for (const Direction& way : directions_)
    for (const Program* program : {way.to_any.get(), way.to_own.get()})
      tiles += program ? program->tile_bytes() : 0;
  if (round_trip_.program) tiles += round_trip_.program->tile_bytes();
  return bytes + tiles;
}

std::function<void()> PlanState::passes_alone() const {
  /// All that the program refers to.
  struct Alone {
    AlignedBuffer arena, in, out;
    std::unique_ptr<Program> program;
    Progress progress{ProgressPolicy::none, 1};
  };
  ProgramShape shape = shape_without_communication(routes_.forward);
  auto alone = std::make_shared<Alone>();
  alone->arena = AlignedBuffer(plan_memory(shape, rank()).arena_bytes);
  alone->in = AlignedBuffer(std::max<std::size_t>(1, input_bytes()));
  alone->out = AlignedBuffer(std::max<std::size_t>(1, output_bytes()));
  // Numbers of ordinary size; zeros would be as fast but prove less.
  for (AlignedBuffer* buffer : {&alone->in, &alone->arena})
    std::fill_n(buffer->data(), buffer->size(), std::byte{0x3f});
  ProgramContext bound = context(1);
  bound.communicators.clear();
  bound.fields.front().arena = alone->arena.data();
  alone->program = std::make_unique<Program>(std::move(shape), bound);
  alone->program->bind(0, alone->in.data(), alone->out.data());
  return [alone] { Run::of_field(*alone->program, 0, false, alone->progress).advance(); };
}

std::function<void()> PlanState::exchanges_alone() {
  Program* const program = &forward_program();
  return [this, program] {
    abort_on_error([&] {
      require_nothing_in_flight("the exchanges alone");
      announce(5);
      program->expect_overlap(0, is_chunked());
      Run run = Run::of_part(*program, false, *progress_,
                             [](const Action& action) { return action.verb != Action::Verb::run; });
      wait_for(run);
    });
  };
}

void PlanState::record(bool on) {
  require_nothing_in_flight("record");
  progress_->record(nullptr);
  if (!on) return;
  recorder_ = std::make_unique<Recorder>(recorded_spans);
  progress_->record(recorder_.get());
}

}  // namespace weft
