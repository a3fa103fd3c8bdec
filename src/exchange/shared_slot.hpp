// Windows in node-shared memory that ranks of a node write for each other, with flags that say when
// they may be written and read. Flags cost memory traffic, but no barrier.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "device/device.hpp"

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
  SharedSlot(const Communicator& node, Device& device, std::vector<int> mates, std::size_t bytes,
             int chunks, FirstUse first);

  /// The place on the node of a rank of the plan.
  int place_of(int rank) const;

  std::byte* own() const { return at(rank_on_node_); }
  std::byte* at(int place) const { return areas_->of(place); }
  std::size_t bytes() const { return bytes_; }
  /// See NodeMemory::map.
  void map(int place, std::size_t offset, std::size_t bytes) const {
    areas_->map(place, offset, bytes);
  }

  /// Whether all of `peers` have opened their areas for the current use.
  bool is_open(const std::vector<int>& peers);
  /// Says that this rank has written one more block for chunk j to all its targets. On a device,
  /// the work in `stream` writes the block; null: the stream of passes.
  void produce(int j, Stream* stream = nullptr);
  bool has_arrived(const std::vector<int>& peers, int j, int blocks);
  /// Ends the current use on this rank: everything has arrived.
  void next_use();
  /// Permits the next use of this rank's area: its contents have been read or are not needed.
  void open();

  /// Raises the flags whose passes and copies have ended; true if none is left. On a device,
  /// `produce` and `open` are called while this work is still on a stream, and peers must not see
  /// the flag before its end. The functions that read flags call `settle` first.
  bool settle();
  /// Whether `settle` may have flags to raise. A rank alone on its node reads only its own flags,
  /// and the stream keeps its passes in order.
  bool waits_for_stream() const { return stream_ != nullptr && mates_.size() > 1; }

 private:
  struct DueFlag {
    SharedMark written;
    int index;
    std::uint64_t value;
  };

  std::uint64_t& flag(int place, int index) const;
  /// Raises the flag once `after` has done its work so far, or at once if there is no stream to
  /// wait for.
  void raise(int index, std::uint64_t value, Stream* after);

  std::vector<int> mates_;
  std::size_t bytes_;
  Stream* stream_;
  std::unique_ptr<NodeMemory> flags_;  // in the host's memory, even if areas are on a device
  std::unique_ptr<NodeMemory> areas_;
  std::deque<DueFlag> due_;
  int rank_on_node_;
  std::uint64_t use_ = 0;
  std::vector<std::uint64_t> produced_;
  std::uint64_t opened_;
};

}  // namespace weft
