// One thread for all plans of the process, started by the first plan that wants it.
#include "call/stall_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "mpi/communicator.hpp"

namespace weft {
namespace {

constexpr std::chrono::milliseconds pause{200};
/// From one look to the next in a process that runs, however busy the machine.
constexpr std::chrono::seconds longest_pause{1};

/// Never destroyed: its thread may still look while the process ends.
struct Watched {
  std::mutex mutex;
  std::vector<StallWatch*> all;
  bool has_thread = false;
};

Watched& watched() {
  static auto& kept = *new Watched;
  return kept;
}

[[noreturn]] void look_forever() {
  for (;;) {
    std::this_thread::sleep_for(pause);
    const std::lock_guard lock(watched().mutex);
    for (StallWatch* watch : watched().all) watch->look();
  }
}

}  // namespace

StallWatch::StallWatch(double seconds, double limit, Describe describe)
    : seconds_(seconds), limit_(limit), describe_(std::move(describe)) {
  if (seconds == 0 && limit == 0) return;
  const std::lock_guard lock(watched().mutex);
  watched().all.push_back(this);
  if (!watched().has_thread) std::thread(look_forever).detach();
  watched().has_thread = true;
}

StallWatch::~StallWatch() {
  const std::lock_guard lock(watched().mutex);
  std::erase(watched().all, this);
}

void StallWatch::begin(Wait wait) {
  const std::lock_guard lock(mutex_);
  is_waiting_ = true;
  wait_ = std::move(wait);
  since_ = Clock::now();
  is_reported_ = false;
}

void StallWatch::end() {
  const std::lock_guard lock(mutex_);
  is_waiting_ = false;
}

void StallWatch::look() {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const auto since_last = now - std::exchange(looked_, now);
  if (!is_waiting_) return;
  if (since_last > longest_pause) since_ = std::min(now, since_ + since_last);
  const double waited = seconds_between(since_, now);
  const bool is_over = limit_ > 0 && waited >= limit_;
  if (is_over || (seconds_ > 0 && waited >= seconds_ && !is_reported_)) {
    std::fprintf(stderr, "weft: after %.1f s %s%s\n", waited, describe_(wait_).c_str(),
                 is_over ? "; the job is ended, as stall_limit says" : "");
    std::fflush(stderr);
    is_reported_ = true;
  }
  if (is_over) std::_Exit(1);
}

StallWatch::Describe step_text_on(MPI_Comm communicator) {
  require_usable(communicator);
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  return [rank, host = host_name()](const Wait& wait) {
    return fmt::format("rank {} (host {}) still waits for other ranks to {}", rank, host,
                       wait.step);
  };
}

}  // namespace weft
