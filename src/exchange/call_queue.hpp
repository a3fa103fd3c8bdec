// Calls to the MPI in the order in which they were started, a bounded number of them on their way.
// The bound keeps MPIs that share the link out among messages from delivering the first one last;
// the price is that the next call is made by a poll.
#pragma once

#include <deque>
#include <vector>

namespace weft {

/// A call is whatever the derived class launches and advances, by number. They are launched in the
/// order in which they are started, which is thereby the same on all ranks.
class CallQueue {
 public:
  /// `most`: how many calls may be on their way; 0: all.
  CallQueue(int calls, int most) : most_(most), pending_(calls, false) {}
  virtual ~CallQueue() = default;
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

 protected:
  /// Sets the call off; it may be over when this returns.
  virtual void launch(int call) = 0;
  /// Gives a launched call a chance to progress; true when it is over.
  virtual bool advance(int call) = 0;

  void enqueue(int call);
  /// Gives the oldest calls a chance; true where none is left.
  bool advance_all();
  /// Whether a call is over, or was never started.
  bool is_over(int call) const { return !pending_[call]; }
  /// Sees to one call out of turn; true when it is over.
  bool advance_until_over(int call);

 private:
  void launch_more();
  bool settle(int call);

  int most_;
  std::deque<int> waiting_;
  std::vector<int> flying_;  // oldest first
  std::vector<bool> pending_;
};

}  // namespace weft
