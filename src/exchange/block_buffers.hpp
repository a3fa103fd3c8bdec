// Blocks as contiguous runs of a send and a receive buffer: the memory of every method that sends
// packed.
#pragma once

#include <vector>

#include "exchange/exchange.hpp"

namespace weft {

/// The order of blocks is (k, j), then destination or source, so that each (k, j) is one run. What
/// a rank owes itself never enters them: it lies in memory of its own, written by one pass and read
/// by the next. Every block starts at a multiple of `unit` bytes: counts and offsets in units fit
/// MPI's int.
class BlockBuffers {
 public:
  BlockBuffers(const ExchangeContext& context);
  static MemoryNeeds memory(const Geometry& geometry, int rank, Index count_limit);

  struct Block {
    Box box;
    Index offset = 0;  ///< units from the start of its buffer
    Index count = 0;   ///< units
  };
  /// Of the group's member-th rank, as destination and as source.
  const Block& sent(int member, int k, int j) const { return sent_[index(member, k, j)]; }
  const Block& received(int member, int k, int j) const { return received_[index(member, k, j)]; }
  bool is_self(int member) const { return group_[member] == rank_; }
  int members() const { return static_cast<int>(group_.size()); }
  Index unit_bytes() const { return unit_; }
  int producer_chunks() const { return geometry_.producer.count; }
  int consumer_chunks() const { return geometry_.consumer.count; }
  std::byte* send_address(const Block& block) const { return send_ + block.offset * unit_; }
  std::byte* receive_address(const Block& block) const { return receive_ + block.offset * unit_; }

  View outgoing(int k) const;
  View incoming(int j) const;

 private:
  int index(int member, int k, int j) const {
    return (k * consumer_chunks() + j) * members() + member;
  }
  Piece piece(const Block& block, std::byte* base) const;

  Geometry geometry_;
  int rank_;
  std::vector<int> group_;
  Index unit_;
  std::vector<Block> sent_;
  std::vector<Block> received_;
  std::byte* send_;
  std::byte* receive_;
  std::byte* own_;
};

/// Bytes of the smallest unit, an element times a power of two, in which no block of an exchange
/// counts more than `count_limit` (0: what an int holds) and no buffer more than an int holds.
/// Throws where the limit is too small for any unit.
Index unit_bytes(const Geometry& geometry, Index count_limit);

}  // namespace weft
