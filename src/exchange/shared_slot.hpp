// A window that the ranks of a node write into each other, with the flags that say when they may.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/shared_segment.hpp"

namespace weft {

/// One receive area per rank in node-shared memory, used by one exchange after another. Every rank
/// counts its uses alike, so a counter per rank says all there is to say; a rank writes its own
/// counters alone:
///   opened       how often the area may have been written; raised when its contents have been read
///   produced[j]  how many blocks for consumer chunk j the rank has written in the present use
class SharedSlot {
 public:
  /// Collective over the node. `mates`: the ranks of the plan on this node, in the order of their
  /// ranks on it, which are the places that the other functions take. `open`: whether the first use
  /// may begin at once, or waits for a first open().
  SharedSlot(const Communicator& node, std::vector<int> mates, std::size_t bytes, int chunks,
             bool open);

  /// The place of a rank of the plan.
  int place_of(int rank) const;

  std::byte* own() const { return segment_.own() + header_bytes_; }
  std::byte* at(int place) const { return segment_.of(place) + header_bytes_; }
  std::size_t bytes() const { return bytes_; }

  /// Whether all of `peers` have opened its area for the present use.
  bool is_open(const std::vector<int>& peers) const;
  /// One more block for chunk j has been written everywhere.
  void produce(int j);
  bool has_arrived(const std::vector<int>& peers, int j, int blocks) const;
  /// The present use is over on this rank: all of it has arrived.
  void next_use();
  /// What was in this rank's area has been read, or is the caller's to give up.
  void open();

 private:
  std::uint64_t& flag(int place, int index) const;

  std::vector<int> mates_;
  std::size_t header_bytes_;
  std::size_t bytes_;
  SharedSegment segment_;
  int rank_on_node_;
  std::uint64_t use_ = 0;
  std::vector<std::uint64_t> produced_;
  std::uint64_t opened_;
};

}  // namespace weft
