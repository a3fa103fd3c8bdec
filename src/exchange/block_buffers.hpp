// Lays out blocks as contiguous runs of a send and a receive buffer, for every method that sends
// packed blocks.
#pragma once

#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/transport.hpp"

namespace weft {

/// Whether every block of a (k, j) gets as much room as the largest one of the group.
enum class Room { as_needed, equal };

/// Where packed blocks lie. A rank's block to itself normally stays out of the send and receive
/// buffers: one pass writes it to separate memory, the next reads it there.
class BlockBuffers {
 public:
  explicit BlockBuffers(const ExchangeContext& context, Room room = Room::as_needed);
  static MemoryNeeds memory(const Geometry& geometry, int rank, const ExchangeSetting& setting);
  /// With equal room.
  static MemoryNeeds padded_memory(const Geometry& geometry, int rank,
                                   const ExchangeSetting& setting);
  /// The bytes and messages that a rank sends with equal room, padding included.
  static Geometry::Traffic padded_traffic(const Geometry& geometry, int rank,
                                          const ExchangeSetting& setting);

  const BlockTable& table() const { return table_; }
  std::byte* send_address(int call, int member) const {
    return send_ + table_.to(call, member).offset * table_.unit;
  }
  std::byte* receive_address(int call, int member) const {
    return receive_ + table_.from(call, member).offset * table_.unit;
  }

  View outgoing(int k) const;
  View incoming(int j) const;

 private:
  BlockBuffers(const Geometry& geometry, int rank, const ExchangeSetting& setting, Room room);
  MemoryNeeds needs() const;
  /// Adds the boxes of a member's block to the view, packed one after the other.
  void add_block(View& view, int call, int member, const BlockTable::Run& run,
                 const std::vector<Box>& boxes) const;
  bool is_own(int member) const { return member == table_.self && !self_travels_; }

  Geometry geometry_;
  int rank_;
  std::vector<int> group_;
  BlockTable table_;
  bool self_travels_ = false;       // with equal room the own block uses the buffers, too
  std::vector<Index> own_offsets_;  // bytes, by call
  Index own_bytes_ = 0;
  std::byte* send_ = nullptr;
  std::byte* receive_ = nullptr;
  std::byte* own_ = nullptr;
};

/// Bytes of the unit of counts and offsets: an element times the smallest power of two that
/// meets two limits. No block has more than `count_limit` units (0: the largest int). No
/// buffer has more units than the largest int, even if `share` ranks share one buffer. Throws
/// if no unit meets the limits.
Index unit_bytes(const Geometry& geometry, Index count_limit, Index share = 1);

/// Number of whole units that hold the elements, rounded up.
Index units_of(Index elements, Index element_bytes, Index unit);

}  // namespace weft
