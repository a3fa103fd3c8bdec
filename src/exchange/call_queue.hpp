// Issues MPI calls in the order in which they were started, with a bounded number in flight. Some
// MPIs divide the link among all messages, so the first would arrive as late as the last. The bound
// prevents this, but a call beyond it starts only at the next poll.
#pragma once

#include <deque>
#include <vector>

#include "backend/stream.hpp"

namespace weft {

/// The derived class launches and advances calls, identified by number. Calls are launched in the
/// order in which they are enqueued, so the order is the same on all ranks.
class CallQueue {
 public:
  /// `most`: the number of calls that may be in flight; 0: all. `stream`: the device's stream that
  /// writes the data to send; null on the host, which writes the data before it enqueues the call.
  CallQueue(int calls, int most, Stream* stream)
      : most_(most), stream_(stream), produced_(calls), pending_(calls, false) {}
  virtual ~CallQueue() = default;
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

 protected:
  /// Starts the call; it may already be complete when this returns.
  virtual void launch(int call) = 0;
  /// Progresses a launched call; true when it is complete.
  virtual bool advance(int call) = 0;

  void enqueue(int call);
  /// True once the call's data has been written; the call must not be launched before.
  bool is_produced(int call) const { return !produced_[call] || produced_[call]->is_over(); }
  /// Progresses the oldest calls; true if none is left.
  bool advance_all();
  /// Whether a call is complete or was never started.
  bool is_over(int call) const { return !pending_[call]; }
  /// Progresses this call, even if older ones are pending; true when it is complete.
  bool advance_until_over(int call);

 private:
  void launch_more();
  bool settle(int call);

  int most_;
  Stream* stream_;
  std::vector<SharedMark> produced_;  // by call; null: its data is written
  std::deque<int> waiting_;
  std::vector<int> flying_;  // oldest first
  std::vector<bool> pending_;
};

}  // namespace weft
