// A progress bar on the terminal for work that turns out to be long; silent where it is short or
// unseen.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace weft::command {

/// Shows on stderr how far `label` has come, from two seconds after it began until it is destroyed
/// (then the line is wiped). A thread of its own draws, ten times in a second at most, so that a
/// single long call shows that it lives; that thread calls no MPI. Only on rank 0, and only where
/// stderr is a terminal. Launchers put a pipe between a rank and the terminal; the environment
/// variable WEFT_PROGRESS (1 or 0; `./run weft` sets it) decides where it is set.
class Progress {
 public:
  /// `total` steps are to come; 0 where it is not known (the bar then only moves and counts
  /// seconds).
  Progress(std::string label, std::int64_t total, MPI_Comm communicator);

  /// That many more of the steps are done.
  void advance(std::int64_t steps = 1) { done_.fetch_add(steps, std::memory_order_relaxed); }

 private:
  void draw_until(const std::stop_token& stop);
  std::string line(double seconds) const;

  const std::string label_;
  const std::int64_t total_;
  std::atomic<std::int64_t> done_ = 0;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::jthread artist_;  // last, so that it ends before what it reads
};

}  // namespace weft::command
