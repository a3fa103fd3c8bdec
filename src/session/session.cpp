// Planning is collective and fails on all ranks or on none; running never asks what planning could.
#include "session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "machine/caches.hpp"
#include "plan/describe.hpp"

namespace weft {
namespace {

/// The environment certifies all plans of numbers.
PlannedRequest verified(PlannedRequest plan, bool verify) {
  plan.request.options.verify |= verify && plan.request.transform.element_bytes == 0;
  return plan;
}

/// Throws on all ranks. A thread that polls calls MPI while the caller's does.
void require_possible(const Options& options, const Resources& resources) {
  resources.agree([&] {
    if (options.progress == ProgressPolicy::thread && thread_level() < MPI_THREAD_MULTIPLE)
      throw Error(fmt::format(
          "progress thread: needs MPI_THREAD_MULTIPLE, and MPI was initialized with {}; call "
          "MPI_Init_thread for it, or take adaptive, poll or none",
          thread_level_name()));
    if (options.verify) require_host(options.device, "verify");
  });
}

/// Threads of OpenMP spin while they wait, and take the cores from those that work: 100 times
/// slower has been seen. How they wait is settled when the program starts, so all that is left is
/// advice.
void warn_of_too_many_threads(int threads, const Communicator& node) {
  static std::atomic<bool> is_said = false;
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  const bool is_passive = policy != nullptr && (*policy == 'p' || *policy == 'P');
  if (threads == 1 || is_passive || node.rank() != 0) return;
  const int ranks = node.size();
  if (threads <= machine_cores() && threads * ranks <= node_cores()) return;
  if (is_said.exchange(true)) return;
  std::fprintf(stderr,
               "weft: %d ranks with %d threads each share %d cores: threads that wait keep others "
               "from working; start fewer, or set OMP_WAIT_POLICY=passive\n",
               ranks, threads, std::min(node_cores(), ranks * machine_cores()));
}

}  // namespace

Session::Session(const Job& job, PlannedRequest plan)
    : plan_(verified(std::move(plan), job.verify)),
      resources_(job, plan_.routes, plan_.request.options),
      ends_(plan_.routes, job.communicator.rank(), resources_.device()),
      progress_(plan_.request.options.progress, plan_.request.options.poll_tiles),
      ways_(plan_, ends_, resources_),
      calls_(resources_, plan_.request.options, flights_, progress_),
      transforms_(plan_.request.options, ends_, resources_, ways_, calls_, flights_, progress_),
      round_trips_(plan_, ends_, resources_, ways_, calls_, transforms_, progress_),
      flights_(plan_.request.options.fields) {
  const Options& options = plan_.request.options;
  require_possible(options, resources_);
  warn_of_too_many_threads(options.threads, resources_.job().node);
  ways_.make_programs();
}

/// What is on the stream refers to programs and memory.
Session::~Session() { resources_.device().drain(); }

/// All ranks have the array, or none.
RawArray Session::own_array(Side side, ElementType type) {
  const std::string name = side == Side::input ? "input" : "output";
  if (ways_.has_own_array(side)) {
    ends_.check_type(side, type, name);
    return ways_.own_array(side);
  }
  RawArray array;
  calls_.call([&] { return name; }, [] {},
              [&] {
                const std::uint64_t number = calls_.announce(Calls::Kind::own_array, 0);
                calls_.together(number, "make the plan's own array", [&] {
                  resources_.agree([&] { ends_.check_type(side, type, name); });
                  array = ways_.own_array(side);
                });
              });
  return array;
}

void Session::set_stream(void* stream) {
  transforms_.require_nothing_in_flight("set_stream");
  resources_.device().synchronize();
  resources_.device().use_stream(stream);
}

/// Of a plan that has failed, messages may still be under way to and from its memory.
void Session::retire() {
  Device& device = resources_.device();
  device.let_go_of_stream();
  if (device.stream() != nullptr || calls_.has_failed()) return;
  resources_.free_arenas();
  ways_.retire();
  round_trips_.retire();
}

std::string Session::describe() const {
  const Job& job = resources_.job();
  return weft::describe(plan_.request, plan_.routes, job.topology, job.caches, ends_.rank(),
                        &ways_.forward_program(), plan_.choice) +
         resources_.describe();
}

Workspace Session::workspace() const {
  const std::size_t tile_bytes = ways_.tile_bytes() + round_trips_.tile_bytes();
  return {resources_.bytes() + ways_.bytes() + round_trips_.bytes() + tile_bytes, tile_bytes};
}

}  // namespace weft
