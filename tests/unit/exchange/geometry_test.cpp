// The geometry of exchanges, for every rank in one process: what is sent is what is received, each
// rank is in one group, blocks do not overlap, and counts too large for an int are expressed in
// larger units.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "cases/cases.hpp"
#include "exchange/block_buffers.hpp"
#include "exchange/window_strides.hpp"

namespace weft {
namespace {

const Element complex_double{Precision::double_, false};

Geometry geometry_of(const Layout& from, const Layout& to, Chunking producer = {},
                     Chunking consumer = {}) {
  Geometry geometry;
  geometry.from = from;
  geometry.to = to;
  geometry.order = natural_order(from.global().size());
  geometry.element = complex_double;
  geometry.producer = producer;
  geometry.consumer = consumer;
  return geometry;
}

std::vector<Geometry> geometries() {
  std::vector<Geometry> result;
  const Shape shape{7, 5, 6};
  for (int ranks : {1, 2, 3, 4, 6, 8}) {
    const Layout slabs = Layout::slabs(shape, ranks);
    const Layout other_slabs = Layout::slabs(shape, ranks, 1);
    const auto grid = test::grid_of(ranks, 2);
    const Layout pencils = Layout::pencils(shape, {grid[0], grid[1]});
    const Layout turned = Layout::pencils(shape, {grid[0], grid[1]}, 1);
    const Layout irregular = test::irregular_boxes(shape, ranks, 5);
    for (const Chunking& chunks : {Chunking{0, 1}, Chunking{1, 2}})
      for (const auto& [from, to] :
           {std::pair(slabs, other_slabs), std::pair(pencils, turned), std::pair(slabs, irregular),
            std::pair(irregular, pencils), std::pair(pencils.spread(9), turned.spread(9)),
            std::pair(slabs.spread(9, 1), other_slabs.spread(9))})
        result.push_back(geometry_of(from, to, chunks, {2, 3}));
  }
  return result;
}

TEST(Geometry, EveryIndexTravelsOnceAndArrivesWhereItBelongs) {
  for (const Geometry& geometry : geometries()) {
    const int ranks = geometry.from.ranks();
    Index moved = 0;
    for (int source = 0; source < ranks; ++source)
      for (int destination = 0; destination < ranks; ++destination)
        for (int k = 0; k < geometry.producer.count; ++k)
          for (int j = 0; j < geometry.consumer.count; ++j) {
            for (const Box& block : geometry.block(source, destination, k, j)) {
              EXPECT_FALSE(block.empty());
              EXPECT_TRUE(geometry.from.box(source).contains(block));
              EXPECT_TRUE(geometry.to.box(destination).contains(block));
              moved += block.volume();
            }
          }
    EXPECT_EQ(moved, volume(geometry.from.global()));
  }
}

TEST(Geometry, GroupsPartTheRanksAndHoldAllPartners) {
  for (const Geometry& geometry : geometries()) {
    const int ranks = geometry.from.ranks();
    for (int rank = 0; rank < ranks; ++rank) {
      const auto group = geometry.group_of(rank);
      const std::set<int> members(group.begin(), group.end());
      EXPECT_TRUE(members.contains(rank));
      for (int other = 0; other < ranks; ++other) {
        if (members.contains(other)) {
          EXPECT_EQ(geometry.group_of(other), group);
        } else {
          EXPECT_TRUE(intersect(geometry.from.box(rank), geometry.to.box(other)).empty());
          EXPECT_TRUE(intersect(geometry.from.box(other), geometry.to.box(rank)).empty());
        }
      }
    }
  }
}

TEST(Geometry, PencilTransposesStayInRowsOfTheGrid) {
  const Shape shape{8, 8, 8};
  const Geometry geometry =
      geometry_of(Layout::pencils(shape, {2, 4}), Layout::grid(shape, {2, 4}, {{0}, {}, {1}}));
  EXPECT_EQ(geometry.group_of(5), (std::vector{4, 5, 6, 7}));
}

TEST(Geometry, RanksWithoutAPositionTakeNoPart) {
  const Shape shape{8, 8, 8};
  const auto turned = [&](int stride) {
    return geometry_of(Layout::pencils(shape, {2, 4}).spread(32, stride),
                       Layout::grid(shape, {2, 4}, {{0}, {}, {1}}).spread(32, stride));
  };
  const Geometry geometry = turned(4);
  EXPECT_EQ(geometry.group_of(20), (std::vector{16, 20, 24, 28}));
  EXPECT_EQ(geometry.group_of(21), (std::vector{21}));
  EXPECT_EQ(geometry.sent_by(21).messages, 0);
  EXPECT_TRUE(may_align(geometry.from, geometry.to, 0));
  EXPECT_TRUE(geometry.is_within_nodes(Topology::uniform(32, 16)));
  EXPECT_FALSE(geometry.is_within_nodes(Topology::uniform(32, 4))) << "one on each node";
  EXPECT_TRUE(turned(1).is_within_nodes(Topology::uniform(32, 4)));
}

/// Views of a rank cover what they should, in memory that no two pieces share.
void expect_cover(const View& view, Index expected, const std::byte* begin, std::size_t bytes) {
  std::set<const std::byte*> addresses;
  Index covered = 0;
  for (const Piece& piece : view.pieces) {
    covered += piece.box.volume();
    Point point = piece.box.lower;
    for (;;) {
      const std::byte* const address = view.address(piece, point);
      EXPECT_TRUE(addresses.insert(address).second);
      EXPECT_TRUE(begin <= address && address + 16 <= begin + bytes);
      int axis = point.size() - 1;
      while (axis >= 0 && ++point[axis] == piece.box.upper[axis])
        point[axis] = piece.box.lower[axis], --axis;
      if (axis < 0) break;
    }
  }
  EXPECT_EQ(covered, expected);
}

TEST(BlockBuffers, PiecesCoverTheBoxesAndLieApart) {
  for (const Geometry& geometry : geometries())
    for (int rank = 0; rank < geometry.from.ranks(); ++rank)
      for (Index limit : {Index{0}, Index{300}}) {
        ExchangeSetting setting;
        setting.count_limit = limit;
        for (const Room room : {Room::as_needed, Room::equal}) {
          const auto needs_of =
              room == Room::equal ? BlockBuffers::padded_memory : BlockBuffers::memory;
          const MemoryNeeds needs = needs_of(geometry, rank, setting);
          std::vector<std::byte> memory(needs.send + needs.receive + needs.own);
          ExchangeContext context;
          context.geometry = geometry;
          context.rank = rank;
          context.group = geometry.group_of(rank);
          context.setting = setting;
          context.send = memory.data();
          context.receive = context.send + needs.send;
          context.own = context.receive + needs.receive;
          const BlockBuffers buffers(context, room);
          for (int k = 0; k < geometry.producer.count; ++k)
            expect_cover(buffers.outgoing(k), geometry.produced(rank, k).volume(), memory.data(),
                         memory.size());
          for (int j = 0; j < geometry.consumer.count; ++j)
            expect_cover(buffers.incoming(j), geometry.consumed(rank, j).volume(), memory.data(),
                         memory.size());
        }
      }
}

TEST(BlockBuffers, CountsBeyondAnIntAreCarriedByLargerUnits) {
  // 2^36 elements on one of two ranks: 1 TiB, which nobody allocates here.
  const Shape shape{Index{1} << 13, Index{1} << 12, Index{1} << 12};
  const Geometry geometry = geometry_of(Layout::slabs(shape, 2), Layout::slabs(shape, 2, 1));
  const Index unit = unit_bytes(geometry, 0);
  EXPECT_GT(unit, 16);
  EXPECT_EQ(unit % 16, 0);
  ExchangeContext context;
  context.geometry = geometry;
  context.group = {0, 1};
  const BlockBuffers buffers(context);
  for (int member : {0, 1}) {
    const BlockTable::Run& run = buffers.table().to(0, member);
    EXPECT_LE(run.offset + run.count, std::numeric_limits<int>::max());
    const Index volume = member == 0 ? 0 : geometry.block_volume(0, 1, 0, 0);
    EXPECT_GE(run.count * unit, volume * 16);
  }
  EXPECT_THROW(unit_bytes(geometry, 2), Error);
}

TEST(WindowStrides, LongRowsArePaddedToOddLinesAndShortOnesNot) {
  const auto row_bytes = [](Index length) {
    const Geometry geometry =
        geometry_of(Layout::slabs({4, length}, 1), Layout::slabs({4, length}, 1));
    EXPECT_EQ(window_bytes(geometry, 0),
              static_cast<std::size_t>(4 * window_strides(geometry, 0)[0]));
    return window_strides(geometry, 0)[0];
  };
  EXPECT_EQ(row_bytes(256), 4096 + 64);
  EXPECT_EQ(row_bytes(260), 4096 + 64);
  EXPECT_EQ(row_bytes(3), 48);
}

}  // namespace
}  // namespace weft
