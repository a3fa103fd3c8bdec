// Windows in node-shared memory that ranks of a node write for each other, with flags that say when
// they may be written and read. Flags cost memory traffic, but no barrier.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/memory_space.hpp"

namespace weft {

/// One receive area per rank in node-shared memory, used by one exchange after another. All ranks
/// count uses in the same way, so these counters per rank are enough; a rank writes only its own:
///   opened       the number of uses permitted so far; raised when the area's contents were read
///   produced[j]  how many blocks for consumer chunk j the rank has written in the current use
class SharedSlot {
 public:
  enum class FirstUse { at_once, once_opened };

  /// Collective over the node. `mates`: the plan's ranks on this node, ascending. The other
  /// functions identify a rank by its place in this list, which is its rank in `node`.
  SharedSlot(const Communicator& node, MemorySpace& memory, std::vector<int> mates,
             std::size_t bytes, int chunks, FirstUse first);

  /// The place on the node of a rank of the plan.
  int place_of(int rank) const;

  std::byte* own() const { return at(rank_on_node_); }
  std::byte* at(int place) const { return memory_->of(place) + header_bytes_; }
  std::size_t bytes() const { return bytes_; }
  /// See NodeMemory::map.
  void map(int place, std::size_t offset, std::size_t bytes) const {
    memory_->map(place, header_bytes_ + offset, bytes);
  }

  /// Whether all of `peers` have opened their areas for the current use.
  bool is_open(const std::vector<int>& peers) const;
  /// This rank has written one more block for chunk j to all its targets.
  void produce(int j);
  bool has_arrived(const std::vector<int>& peers, int j, int blocks) const;
  /// Ends the current use on this rank: everything has arrived.
  void next_use();
  /// Permits the next use of this rank's area: its contents have been read or are not needed.
  void open();

 private:
  std::uint64_t& flag(int place, int index) const;

  std::vector<int> mates_;
  std::size_t header_bytes_;
  std::size_t bytes_;
  std::unique_ptr<NodeMemory> memory_;  // flags, then the area
  int rank_on_node_;
  std::uint64_t use_ = 0;
  std::vector<std::uint64_t> produced_;
  std::uint64_t opened_;
};

}  // namespace weft
