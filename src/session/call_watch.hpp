// Each rank publishes its current call in shared memory, so that ranks in different calls are
// detected instead of waited for. Only ranks of one node see each other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mpi/shared_segment.hpp"

namespace weft {

class CallWatch {
 public:
  /// What a call does, as far as ranks must do it alike.
  enum class Call : std::uint64_t {
    forward,
    forward_into_own_array,
    backward,
    backward_into_own_array,
    apply,
    exchanges_only,
    failed,
    count
  };

  /// Collective over the node. Calls are published if there are others to see them,
  /// and shared memory to do so.
  void open(const Communicator& node);

  /// This rank enters its next call.
  void announce(Call call);

  /// This rank has left its current call, or the one that it was about to enter, with an error.
  void fail();
  /// The number of calls that this rank has entered.
  std::uint64_t calls() const;
  /// The call that this rank is in: "call 17 (forward)". For any thread.
  std::string text() const;
  /// Where those of the node's ranks are that are in another call: "; rank 2 is in call 16
  /// (backward)". `ranks`: of the plan, by place on the node.
  std::string text_of_others(const std::vector<int>& ranks) const;

  /// Whether a rank of the node has entered a call that this rank has not.
  bool is_behind() const;

  /// Throws where a rank of the node is in the same call with another direction or kind of array,
  /// or has failed in it: waiting for it would never end.
  void check() const;

 private:
  void publish(std::uint64_t call, Call kind);
  std::uint64_t state_of(int place) const;

  std::unique_ptr<SharedSegment> segment_;
  int place_ = 0;
  int places_ = 0;
  std::atomic<std::uint64_t> state_ = 0;  // calls, and the kind of the last one
};

}  // namespace weft
