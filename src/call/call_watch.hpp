// Each rank publishes the calls that it is in, so that ranks in different calls are detected
// instead of waited for, and never return each other's data as a result. Ranks of a node see each
// other in shared memory; where there are several nodes, a small reduction travels beside each
// call.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "call/call_reductions.hpp"
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
    own_array,
    packed_plane,
    failed,
    count
  };

  /// Collective. `node`: this rank's part of `all`. `in_flight`: the most calls of a rank that have
  /// begun and not ended.
  void open(const Communicator& all, const Communicator& node, int in_flight);

  /// This rank enters its next call, whose number is returned. `detail`: a number that must be the
  /// same on all ranks, of which 16 bits count.
  std::uint64_t announce(Call call, std::uint64_t detail);

  /// This rank has left its current call, or the one that it was about to enter, with an error.
  void fail();
  /// Ends what still travels between nodes to compare calls. Before MPI_Finalize.
  void finish() noexcept;
  /// The number of calls that this rank has entered.
  std::uint64_t calls() const;
  /// The call that this rank is in: "call 17 (forward)". For any thread.
  std::string text() const;
  /// Where those of the node's ranks are that are in another call: "; rank 2 is in call 16
  /// (backward)". `ranks`: of the plan, by place on the node.
  std::string text_of_others(const std::vector<int>& ranks) const;

  /// Whether a rank of the node has entered a call that this rank has not.
  bool is_behind() const;

  /// Throws where another rank has entered the call of that number with another direction, kind of
  /// array or detail, or has failed in it: waiting for it would never end, or end with wrong
  /// numbers. Every rank whose data this one has received is compared if it is on the same node;
  /// ranks of other nodes are once all have entered the call.
  void check(std::uint64_t call) const;

 private:
  using Word = std::uint64_t;  // number of a call, kind, detail

  void publish(Word word);
  void compare_nodes() const;
  std::atomic_ref<Word> word_in(std::byte* memory, std::uint64_t call) const;
  Word latest_of(int place) const;

  std::unique_ptr<SharedSegment> segment_;
  std::unique_ptr<CallReductions> reductions_;  // with several nodes, or without shared memory
  int place_ = 0;
  int places_ = 0;
  std::uint64_t kept_ = 1;  // how many of the latest calls can be compared
  std::vector<Word> own_;   // by number modulo kept_
  std::atomic<Word> latest_ = 0;
};

}  // namespace weft
