// Offsets of packed blocks; the same arithmetic on both sides, so that nothing need be exchanged.
#include "exchange/block_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft {
namespace {

Index units_of(const Box& box, Index element_bytes, Index unit) {
  return (box.volume() * element_bytes + unit - 1) / unit;
}

/// Calls visit(member, k, j) in the order of the buffers.
template <class Visit>
void for_blocks(const Geometry& geometry, int members, Visit&& visit) {
  for (int k = 0; k < geometry.producer.count; ++k)
    for (int j = 0; j < geometry.consumer.count; ++j)
      for (int member = 0; member < members; ++member) visit(member, k, j);
}

}  // namespace

Index unit_bytes(const Geometry& geometry, Index count_limit) {
  constexpr Index largest_int = std::numeric_limits<int>::max();
  const Index limit = count_limit > 0 ? count_limit : largest_int;
  Index largest = 0;
  for (int rank = 0; rank < geometry.from.ranks(); ++rank)
    largest = std::max({largest, geometry.from.box(rank).volume(), geometry.to.box(rank).volume()});
  largest *= geometry.element.bytes();
  // Each block may be rounded up by one unit.
  const Index blocks =
      Index{geometry.producer.count} * geometry.consumer.count * geometry.from.ranks();
  Index unit = geometry.element.bytes();
  while ((largest + unit - 1) / unit > limit || largest / unit + blocks > largest_int) unit *= 2;
  if (unit > largest_int)
    throw Error(
        fmt::format("count_limit {}: too small for the {} bytes of a rank", limit, largest));
  return unit;
}

BlockBuffers::BlockBuffers(const ExchangeContext& context)
    : geometry_(context.geometry),
      rank_(context.rank),
      group_(context.group),
      unit_(weft::unit_bytes(geometry_, context.count_limit)),
      send_(context.send),
      receive_(context.receive),
      own_(context.own) {
  const Index bytes = geometry_.element.bytes();
  Index send_offset = 0;
  Index receive_offset = 0;
  Index own_offset = 0;
  for_blocks(geometry_, members(), [&](int member, int k, int j) {
    Block out{geometry_.block(rank_, group_[member], k, j)};
    Block in{geometry_.block(group_[member], rank_, k, j)};
    out.count = units_of(out.box, bytes, unit_);
    in.count = units_of(in.box, bytes, unit_);
    Index& out_offset = is_self(member) ? own_offset : send_offset;
    out.offset = out_offset;
    out_offset += out.count;
    if (is_self(member)) {
      in.offset = out.offset;
    } else {
      in.offset = receive_offset;
      receive_offset += in.count;
    }
    sent_.push_back(out);
    received_.push_back(in);
  });
}

MemoryNeeds BlockBuffers::memory(const Geometry& geometry, int rank, Index count_limit) {
  const Index unit = weft::unit_bytes(geometry, count_limit);
  const Index bytes = geometry.element.bytes();
  const std::vector<int> group = geometry.group_of(rank);
  MemoryNeeds needs;
  for_blocks(geometry, static_cast<int>(group.size()), [&](int member, int k, int j) {
    const int other = group[member];
    const auto out =
        static_cast<std::size_t>(units_of(geometry.block(rank, other, k, j), bytes, unit) * unit);
    if (other == rank) {
      needs.own += out;
      return;
    }
    needs.send += out;
    needs.receive +=
        static_cast<std::size_t>(units_of(geometry.block(other, rank, k, j), bytes, unit) * unit);
  });
  return needs;
}

Piece BlockBuffers::piece(const Block& block, std::byte* base) const {
  return {block.box, base + block.offset * unit_,
          byte_strides(block.box.extents(), geometry_.order, geometry_.element.bytes())};
}

View BlockBuffers::outgoing(int k) const {
  View view;
  for (int j = 0; j < consumer_chunks(); ++j)
    for (int member = 0; member < members(); ++member)
      if (const Block& block = sent(member, k, j); block.count > 0)
        view.pieces.push_back(piece(block, is_self(member) ? own_ : send_));
  return view;
}

View BlockBuffers::incoming(int j) const {
  View view;
  for (int k = 0; k < producer_chunks(); ++k)
    for (int member = 0; member < members(); ++member)
      if (const Block& block = received(member, k, j); block.count > 0)
        view.pieces.push_back(piece(block, is_self(member) ? own_ : receive_));
  return view;
}

}  // namespace weft
