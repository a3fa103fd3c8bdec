// Reports where a rank waits once it has waited long, since a job that hangs silently is the
// hardest to repair. A separate thread checks, because the rank may be blocked inside MPI; this
// thread calls no MPI.
#pragma once

#include <mpi.h>

#include <functional>
#include <mutex>
#include <string>
#include <weft/options.hpp>

#include "machine/clock.hpp"
#include "plan/schedule.hpp"

namespace weft {

class Program;

/// The event that a thread waits for: an action of a program, or else a step that
/// all ranks take together.
struct Wait {
  const Program* program = nullptr;
  Action action{};
  std::string step = {};
};

class StallWatch {
 public:
  using Describe = std::function<std::string(const Wait&)>;

  /// Reports a wait of `seconds` on stderr, once. After `limit` seconds it ends the process, and so
  /// the job. 0: never. Time does not count while this process is stopped, as batch systems stop
  /// jobs. `describe` names the awaited event; another thread calls it.
  StallWatch(double seconds, double limit, Describe describe);
  ~StallWatch();
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;

  /// From now on the calling thread waits for this event; replaces its previous wait.
  void begin(Wait wait);
  void end();

  /// Looks once; called by the process's watching thread.
  void look();

 private:
  double seconds_;
  double limit_;
  Describe describe_;
  std::mutex mutex_;
  bool is_waiting_ = false;
  Wait wait_;
  Clock::time_point since_;
  Clock::time_point looked_;
  bool is_reported_ = false;
};

/// "rank 1 (host a) still waits for other ranks to ...", for waits for steps.
StallWatch::Describe step_text_on(MPI_Comm communicator);

/// From its construction to its end the calling thread waits for other ranks in one step, such as a
/// blocking collective of MPI.
class WatchedStep {
 public:
  WatchedStep(StallWatch& watch, const std::string& step) : watch_(watch) {
    watch_.begin({.step = step});
  }
  ~WatchedStep() { watch_.end(); }
  WatchedStep(const WatchedStep&) = delete;
  WatchedStep& operator=(const WatchedStep&) = delete;

 private:
  StallWatch& watch_;
};

/// Runs `work`, a step that all ranks of the communicator take together outside of a plan's calls,
/// for example "make this plan". Its waits are reported like the waits of calls.
template <class Work>
auto watched(MPI_Comm communicator, const Options& options, const std::string& step, Work&& work) {
  StallWatch watch(options.stall_seconds, options.stall_limit, step_text_on(communicator));
  const WatchedStep waiting(watch, step);
  return work();
}

}  // namespace weft
