// Each rank publishes its calls, so that ranks in different calls are detected. Otherwise they
// would wait forever, or return data of another call as a result. Ranks of a node compare calls in
// shared memory. With several nodes, a small reduction runs beside each call.
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
  /// The kind of a call, which must be the same on all ranks.
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

  /// Collective. `node`: this rank's part of `all`. `in_flight`: the largest number of calls that a
  /// rank has begun and not ended.
  void open(const Communicator& all, const Communicator& node, int in_flight);

  /// This rank enters its next call, whose number is returned. `detail`: a number that must be the
  /// same on all ranks, of which 16 bits count.
  std::uint64_t announce(Call call, std::uint64_t detail);

  /// This rank has left its current call, or the one that it was about to enter, with an error.
  void fail();
  /// Ends the reductions that compare calls. Must be called before MPI_Finalize.
  void finish() noexcept;
  /// The number of calls that this rank has entered.
  std::uint64_t calls() const;
  /// The call that this rank is in: "call 17 (forward)". For any thread.
  std::string text() const;
  /// The node's ranks that are in another call: "; rank 2 is in call 16 (backward)". `ranks`: the
  /// plan's ranks, by place on the node.
  std::string text_of_others(const std::vector<int>& ranks) const;

  /// Whether a rank of the node has entered a call that this rank has not.
  bool is_behind() const;

  /// Throws if another rank has entered this call with another direction, kind of array or detail,
  /// or has failed in it. Waiting for this rank would never end, or would end with wrong numbers.
  /// On the same node, every rank whose data this rank has received is compared. Ranks of other
  /// nodes are compared once all have entered the call.
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
