// Says where a rank waits once it has waited long, since a job that hangs in silence is the hardest
// to mend. A thread of its own looks, because the rank may be blocked inside MPI; it calls no MPI.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "machine/clock.hpp"
#include "plan/schedule.hpp"

namespace weft {

class Program;

class StallWatch {
 public:
  using Describe = std::function<std::string(const Program&, const Action&)>;

  /// Reports a wait of `seconds` on stderr, once; after `limit` seconds it ends the process, and so
  /// the job. 0: never. Time in which this process itself was stopped, as batch systems do with
  /// jobs, is no waiting. `describe` says what is waited for; it is called by another thread.
  StallWatch(double seconds, double limit, Describe describe);
  ~StallWatch();
  StallWatch(const StallWatch&) = delete;
  StallWatch& operator=(const StallWatch&) = delete;

  /// The calling thread waits for the action of the program from now on, instead of for another.
  void begin(const Program& program, const Action& action);
  void end();

  /// Looks once; called by the process's watching thread.
  void look();

 private:
  double seconds_;
  double limit_;
  Describe describe_;
  std::mutex mutex_;
  const Program* program_ = nullptr;  // null: nothing is waited for
  Action action_{};
  Clock::time_point since_;
  Clock::time_point looked_;
  bool is_reported_ = false;
};

}  // namespace weft
