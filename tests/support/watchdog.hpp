// Ends a job that hangs: a thread aborts it with a message if no test reports progress for too
// long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace weft::test {

class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds patience);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;

  /// A new test runs: restart the clock.
  void running(const std::string& what);

 private:
  void watch();

  const std::chrono::seconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::steady_clock::time_point deadline_;
  std::string what_ = "start";
  bool over_ = false;
  std::thread thread_;  // last: it uses all of the above
};

/// Prints and ends all ranks at once. Safe from any thread.
[[noreturn]] void abort_job(const std::string& message);

/// The number in this environment variable, or the default.
long environment_number(const char* name, long fallback);

}  // namespace weft::test
