// Who gives the exchanges on their way a chance to progress while this rank computes, and how
// often.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <weft/options.hpp>

#include "machine/clock.hpp"
#include "session/trace.hpp"

namespace weft {

class Program;

/// Serves one plan: tests its programs in flight, between tiles as the policy says, or in a thread
/// of its own. Ranks on which tests do nothing, as those that do not lead a node in two_level, have
/// no thread.
class Progress {
 public:
  Progress(ProgressPolicy policy, int poll_tiles);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Called between the tiles of a pass.
  void between_tiles();
  /// From begin to end something of the program may be on its way; several of its fields may.
  void begin(Program& program);
  void end(Program& program);
  /// Tests all programs in flight at once.
  void test();
  /// Whoever uses the exchanges holds it. Free of cost without a thread.
  std::unique_lock<std::mutex> exclusive();
  /// Sets the observer of subsequent events; null: none.
  void record(Recorder* recorder);
  Recorder* recorder() const { return recorder_; }

 private:
  void test_each();
  /// The same while something else is computed.
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
  std::map<Program*, int> in_flight_;  // and how many fields of each
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace weft
