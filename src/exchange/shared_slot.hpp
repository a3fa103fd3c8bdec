// A window that the ranks of a node write into each other, with the flags that say when they may.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/shared_segment.hpp"

namespace weft {

/// One receive area per rank in node-shared memory, used by one exchange after another. Every rank
/// counts its uses alike, so a counter per rank says all there is to say; a rank writes its own
/// counters alone:
///   opened       how often the area may have been written: raised when what was there has been
///   read produced[j]  how many blocks for consumer chunk j it has written to others in the present
///   use
class SharedSlot {
 public:
  /// Collective over the node. `node_ranks`: for each rank of the plan, its rank on the node.
  /// `open`: whether the first use may begin at once, or waits for a first open().
  SharedSlot(const Communicator& node, std::vector<int> node_ranks, std::size_t bytes, int chunks,
             bool open);

  std::byte* own() const { return segment_.own() + header_bytes_; }
  std::byte* of(int rank) const { return segment_.of(node_ranks_[rank]) + header_bytes_; }
  std::size_t bytes() const { return bytes_; }

  /// Whether every rank of `peers` has opened its area for the present use.
  bool is_open(const std::vector<int>& peers) const;
  /// One more block for chunk j has been written everywhere.
  void produce(int j);
  bool has_arrived(const std::vector<int>& peers, int j, int blocks) const;
  /// The present use is over on this rank: all of it has arrived.
  void next_use();
  /// What was in this rank's area has been read, or is the caller's to give up.
  void open();

 private:
  std::uint64_t& flag(int rank, int index) const;

  std::vector<int> node_ranks_;
  std::size_t header_bytes_;
  std::size_t bytes_;
  SharedSegment segment_;
  int rank_on_node_;
  std::uint64_t use_ = 0;
  std::vector<std::uint64_t> produced_;
  std::uint64_t opened_;
};

}  // namespace weft
