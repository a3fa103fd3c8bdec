// The watchdog's thread, and how to end a job that cannot continue.
#include "support/watchdog.hpp"

#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "support/ranks.hpp"

namespace weft::test {

Watchdog::Watchdog(std::chrono::seconds patience)
    : patience_(patience),
      deadline_(std::chrono::steady_clock::now() + patience),
      thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::running(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  deadline_ = std::chrono::steady_clock::now() + patience_;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    // A copy, since running() moves the deadline while this waits.
    const auto deadline = deadline_;
    changed_.wait_until(lock, deadline);
    if (over_ || deadline_ > std::chrono::steady_clock::now()) continue;
    abort_job("nothing happened for " + std::to_string(patience_.count()) + " s in " + what_);
  }
}

void abort_job(const std::string& message) {
  std::fprintf(stderr, "\n[rank %d] ABORTING: %s\n", world_rank(), message.c_str());
  std::fflush(nullptr);
  // Other ranks may want to print as well: give them a moment before all are killed. Even MPI_Abort
  // may then block, because of a thread of this process that hangs in MPI; the alarm ends this rank
  // in any case.
  sleep(1);
  alarm(5);
  if (threads_may_use_mpi()) MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

long environment_number(const char* name, long fallback) {
  const char* text = std::getenv(name);
  return text && *text ? std::strtol(text, nullptr, 10) : fallback;
}

}  // namespace weft::test
