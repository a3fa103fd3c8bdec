// Decides who lets messages progress while this rank computes, and how often.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <weft/options.hpp>

#include "machine/clock.hpp"
#include "run/trace.hpp"

namespace weft {

class Program;

/// Serves one plan: tests its programs in flight, either between tiles or in a separate thread, as
/// the policy says. Ranks on which tests have no effect, for example all but the leaders in
/// two_level, have no thread.
class Progress {
 public:
  Progress(ProgressPolicy policy, int poll_tiles);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Called between the tiles of a pass.
  void between_tiles();
  /// Between `begin` and `end` messages of the program may be in flight, of several fields at once.
  void begin(Program& program);
  void end(Program& program);
  /// Tests all programs in flight at once.
  void test();
  /// Must be held while exchanges are used. Costs nothing without a progress thread.
  std::unique_lock<std::mutex> exclusive();
  /// Sets the recorder of all later events; null records nothing.
  void record(Recorder* recorder);
  Recorder* recorder() const { return recorder_; }

 private:
  void test_each();
  /// Like test_each, while something else is computed; the recorder sees it.
  void poll(Recorder::Thread thread);
  void poll_adaptively();
  void serve();

  ProgressPolicy policy_;
  int interval_;   // tiles from one test to the next
  int tiles_ = 0;  // since the last test
  Clock::time_point last_test_{};
  double idle_cost_ = 0;  // seconds of a test that finds nothing

  Recorder* recorder_ = nullptr;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<Program*, int> running_;  // with the number of fields of each
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace weft
