// Blocks as contiguous runs of a send and a receive buffer: the memory of every method that sends
// packed.
#pragma once

#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/transport.hpp"

namespace weft {

/// Where packed blocks lie. What a rank owes itself never enters the buffers: it lies in memory of
/// its own, written by one pass and read by the next.
class BlockBuffers {
 public:
  /// `equal_room`: every block of a (k, j) gets the room of the largest of the group.
  explicit BlockBuffers(const ExchangeContext& context, bool equal_room = false);
  static MemoryNeeds memory(const Geometry& geometry, int rank, const ExchangeSetting& setting,
                            bool equal_room = false);
  /// What a rank sends where blocks get equal room, the padding included.
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
  BlockBuffers(const Geometry& geometry, int rank, const ExchangeSetting& setting, bool equal_room);
  /// A block's boxes, packed one after the other behind that base.
  void add_pieces(View& view, const std::vector<Box>& boxes, int base, Index offset) const;
  bool is_own(int member) const { return member == table_.self && !self_travels_; }

  Geometry geometry_;
  int rank_;
  std::vector<int> group_;
  BlockTable table_;
  bool self_travels_ = false;       // equal room includes this rank's own, so its block goes there
  std::vector<Index> own_offsets_;  // bytes, by call
  Index own_bytes_ = 0;
  std::byte* send_ = nullptr;
  std::byte* receive_ = nullptr;
  std::byte* own_ = nullptr;
};

/// Bytes of the smallest unit, an element times a power of two, in which no block of an exchange
/// counts more than `count_limit` (0: what an int holds) and no buffer more than an int holds, even
/// where `share` ranks have theirs in common. Throws where the limit is too small for any unit.
Index unit_bytes(const Geometry& geometry, Index count_limit, Index share = 1);

/// Elements in whole units.
Index units_of(Index elements, Index element_bytes, Index unit);

}  // namespace weft
