// Offsets of packed blocks. Sender and receiver compute them independently, in the same way, so no
// offsets need to be exchanged.
#include "exchange/block_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft {

Index units_of(Index elements, Index element_bytes, Index unit) {
  return (elements * element_bytes + unit - 1) / unit;
}

Index unit_bytes(const Geometry& geometry, Index count_limit, Index share) {
  constexpr Index largest_int = std::numeric_limits<int>::max();
  const Index limit = count_limit > 0 ? count_limit : largest_int;
  const Index largest = std::max(geometry.from.largest_volume(), geometry.to.largest_volume()) *
                        geometry.element.bytes() * share;
  // Rounding up may add one unit per block.
  const Index blocks =
      Index{geometry.producer.count} * geometry.consumer.count * geometry.from.ranks() * share;
  Index unit = geometry.element.bytes();
  while ((largest + unit - 1) / unit > limit || largest / unit + blocks > largest_int) unit *= 2;
  if (unit > largest_int)
    throw Error(
        fmt::format("count_limit {}: too small for the {} bytes of a rank", limit, largest));
  return unit;
}

BlockBuffers::BlockBuffers(const ExchangeContext& context, Room room)
    : BlockBuffers(context.geometry, context.rank, context.setting, room) {
  send_ = context.send;
  receive_ = context.receive;
  own_ = context.own;
}

BlockBuffers::BlockBuffers(const Geometry& geometry, int rank, const ExchangeSetting& setting,
                           Room room)
    : geometry_(geometry), rank_(rank), group_(geometry.group_of(rank)) {
  const std::vector<int>& group = group_;
  self_travels_ = room == Room::equal && group.size() > 1;
  const Index bytes = geometry.element.bytes();
  table_.members = static_cast<int>(group.size());
  table_.self = static_cast<int>(std::ranges::find(group, rank) - group.begin());
  table_.producer_chunks = geometry.producer.count;
  table_.consumer_chunks = geometry.consumer.count;
  table_.unit = unit_bytes(geometry, setting.count_limit);
  for (int k = 0; k < geometry.producer.count; ++k)
    for (int j = 0; j < geometry.consumer.count; ++j) {
      for (int member = 0; member < table_.members; ++member) {
        const bool own = is_own(member);
        const Index elements = geometry.block_volume(rank, group[member], k, j);
        const Index incoming = geometry.block_volume(group[member], rank, k, j);
        table_.sent.push_back({0, own ? 0 : units_of(elements, bytes, table_.unit)});
        table_.received.push_back({0, own ? 0 : units_of(incoming, bytes, table_.unit)});
        if (!own) continue;
        own_offsets_.push_back(own_bytes_);
        own_bytes_ += elements * bytes;
      }
      if (!self_travels_) continue;
      table_.room.push_back(units_of(geometry.largest_block(group, k, j), bytes, table_.unit));
    }
  table_.lay_out();
}

MemoryNeeds BlockBuffers::needs() const {
  return {.send = static_cast<std::size_t>(table_.send_units * table_.unit),
          .receive = static_cast<std::size_t>(table_.receive_units * table_.unit),
          .own = static_cast<std::size_t>(own_bytes_)};
}

MemoryNeeds BlockBuffers::memory(const Geometry& geometry, int rank,
                                 const ExchangeSetting& setting) {
  return BlockBuffers(geometry, rank, setting, Room::as_needed).needs();
}

MemoryNeeds BlockBuffers::padded_memory(const Geometry& geometry, int rank,
                                        const ExchangeSetting& setting) {
  return BlockBuffers(geometry, rank, setting, Room::equal).needs();
}

Geometry::Traffic BlockBuffers::padded_traffic(const Geometry& geometry, int rank,
                                               const ExchangeSetting& setting) {
  const BlockBuffers buffers(geometry, rank, setting, Room::equal);
  const BlockTable& table = buffers.table();
  Geometry::Traffic traffic;
  for (const Index room : table.room) traffic.bytes += room * table.unit * (table.members - 1);
  traffic.messages = traffic.bytes > 0 ? table.members - 1 : 0;
  return traffic;
}

void BlockBuffers::add_block(View& view, int call, int member, const BlockTable::Run& run,
                             const std::vector<Box>& boxes) const {
  const Index bytes = geometry_.element.bytes();
  const int base = is_own(member) ? 1 : 0;
  Index offset = is_own(member) ? own_offsets_[call] : run.offset * table_.unit;
  for (const Box& box : boxes) {
    view.pieces.push_back({box, offset, byte_strides(box.extents(), geometry_.order, bytes), base});
    offset += box.volume() * bytes;
  }
}

View BlockBuffers::outgoing(int k) const {
  View view{{send_, own_}, {}};
  for (int j = 0; j < table_.consumer_chunks; ++j)
    for (int member = 0; member < table_.members; ++member) {
      const int call = table_.call(k, j);
      add_block(view, call, member, table_.to(call, member),
                geometry_.block(rank_, group_[member], k, j));
    }
  return view;
}

View BlockBuffers::incoming(int j) const {
  View view{{receive_, own_}, {}};
  for (int k = 0; k < table_.producer_chunks; ++k)
    for (int member = 0; member < table_.members; ++member) {
      const int call = table_.call(k, j);
      add_block(view, call, member, table_.from(call, member),
                geometry_.block(group_[member], rank_, k, j));
    }
  return view;
}

}  // namespace weft
