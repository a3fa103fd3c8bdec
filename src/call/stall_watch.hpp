// Says where a rank waits once it has waited long, since a job that hangs in silence is the hardest
// to mend. A thread of its own looks, because the rank may be blocked inside MPI; it calls no MPI.
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

/// What a thread waits for: an action of a program, or else a step that all ranks take together.
struct Wait {
  const Program* program = nullptr;
  Action action{};
  std::string step = {};
};

class StallWatch {
 public:
  using Describe = std::function<std::string(const Wait&)>;

  /// Reports a wait of `seconds` on stderr, once; after `limit` seconds it ends the process, and so
  /// the job. 0: never. Time in which this process itself was stopped, as batch systems do with
  /// jobs, is no waiting. `describe` says what is waited for; it is called by another thread.
  StallWatch(double seconds, double limit, Describe describe);
  ~StallWatch();
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;

  /// From now on the calling thread waits for this; replaces what it waited for before.
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
/// such as "make this plan"; its waits are reported as those of calls are.
template <class Work>
auto watched(MPI_Comm communicator, const Options& options, const std::string& step, Work&& work) {
  StallWatch watch(options.stall_seconds, options.stall_limit, step_text_on(communicator));
  const WatchedStep waiting(watch, step);
  return work();
}

}  // namespace weft
