// Tilings of many shapes, memory orders and caches: complete, within their bounds, and with whole
// cache lines. No engine and no memory is needed.
#include "pass/tiling.hpp"

#include <gtest/gtest.h>

#include <set>

#include "layout/partition.hpp"

namespace weft {
namespace {

Caches caches_of(Index level2_kib, Index level3_mib) {
  Caches caches;
  caches.level2 = static_cast<std::size_t>(level2_kib) << 10;
  caches.level3 = static_cast<std::size_t>(level3_mib) << 20;
  return caches;
}

const std::vector<Caches> many_caches{caches_of(256, 0),    caches_of(512, 2),
                                      caches_of(1024, 0),   caches_of(1280, 3),
                                      caches_of(2048, 260), caches_of(4096, 30)};

/// A sweep over one box, in memory orders of its own on both sides.
struct Sample {
  Shape shape;
  int line_axis = -1;
  Order from;
  Order to;
  Index from_bytes = 16;
  Index to_bytes = 16;
  Caches caches;

  Index line_bytes() const {
    return std::max(from_bytes, to_bytes) * (line_axis < 0 ? 1 : shape[line_axis]);
  }
  Tiling tiling(const std::vector<Box>& domains) const {
    const auto view = [&](const Order& order, Index bytes) {
      return View{{nullptr}, {{Box::whole(shape), 0, byte_strides(shape, order, bytes)}}};
    };
    const View source = view(from, from_bytes), target = view(to, to_bytes);
    return make_tiling(domains, {line_axis, line_bytes()}, {source, from_bytes}, {target, to_bytes},
                       caches);
  }
  Tiling tiling() const { return tiling({Box::whole(shape)}); }
  /// Elements that fill a cache line on both sides.
  Index run() const { return 64 / std::min(from_bytes, to_bytes); }
  /// Axes other than the lines' that are contiguous on a side.
  std::set<int> contiguous() const {
    std::set<int> axes;
    for (const Order& order : {from, to}) {
      int position = order.size() - 1;
      while (position > 0 && shape[order[position]] == 1) --position;
      const int axis = order[position];
      if (axis != line_axis && shape[axis] > 1) axes.insert(axis);
    }
    return axes;
  }
};

std::string to_string(const Sample& sample) {
  return to_string(sample.shape) + ", lines along " + std::to_string(sample.line_axis) +
         ", orders " + to_string(Shape(sample.from.begin(), sample.from.end())) + " and " +
         to_string(Shape(sample.to.begin(), sample.to.end())) + ", bytes " +
         std::to_string(sample.from_bytes) + " and " + std::to_string(sample.to_bytes) + ", L2 " +
         std::to_string(sample.caches.level2);
}

std::vector<Order> orders_of(int axes) {
  Order order;
  for (int axis = 0; axis < axes; ++axis) order.push_back(axis);
  std::vector<Order> orders{order};
  while (std::ranges::next_permutation(order).found) orders.push_back(order);
  return orders;
}

/// Every line axis, both sides' orders and sizes of elements, for each shape and machine.
template <class Check>
void for_each_sample(const std::vector<Shape>& shapes, Check&& check) {
  for (const Shape& shape : shapes)
    for (const Caches& caches : many_caches)
      for (int line_axis = -1; line_axis < shape.size(); ++line_axis)
        for (const Order& from : orders_of(shape.size()))
          for (const Order& to : {orders_of(shape.size()).front(), orders_of(shape.size()).back()})
            for (const auto& [from_bytes, to_bytes] :
                 {std::pair<Index, Index>{16, 16}, {8, 16}, {8, 4}, {2, 8}}) {
              const Sample sample{shape, line_axis, from, to, from_bytes, to_bytes, caches};
              SCOPED_TRACE(to_string(sample));
              check(sample);
              if (testing::Test::HasFailure()) return;
            }
}

const std::vector<Shape> small_shapes{{1},         {37},       {5, 1},    {17, 40},
                                      {9, 33, 20}, {1, 70, 3}, {40, 2, 9}};
const std::vector<Shape> large_shapes{{1 << 20},          {4096, 4096},      {256, 256, 256},
                                      {1000, 1000, 1000}, {8192, 3, 100000}, {17, 65, 129}};

Index position_in(const Shape& shape, const Point& point) {
  Index position = 0;
  for (int axis = 0; axis < shape.size(); ++axis) position = position * shape[axis] + point[axis];
  return position;
}

/// Calls visit(point) for every point of a box.
template <class Visit>
void for_each_point(const Box& box, Visit&& visit) {
  if (box.empty()) return;
  Point point = box.lower;
  for (;;) {
    visit(point);
    int axis = box.axes() - 1;
    while (axis >= 0 && ++point[axis] == box.upper[axis]) point[axis] = box.lower[axis], --axis;
    if (axis < 0) return;
  }
}

TEST(Tiling, TilesCoverEveryBoxOnce) {
  for_each_sample(small_shapes, [](const Sample& sample) {
    const Tiling tiling = sample.tiling();
    // Chunks of the box along any axis of which lines are whole.
    for (int axis = 0; axis < sample.shape.size(); ++axis) {
      if (axis == sample.line_axis) continue;
      std::vector<int> covered(static_cast<std::size_t>(volume(sample.shape)), 0);
      for (int chunk = 0; chunk < 3; ++chunk) {
        const Box domain = part_of(Box::whole(sample.shape), axis, 3, chunk);
        for (Index tile = 0, count = tiling.tiles.parts(domain); tile < count; ++tile) {
          const Box box = tiling.tiles.part(domain, tile);
          EXPECT_LE(tiling.lines_in(box), tiling.lines);
          for_each_point(box, [&](const Point& point) {
            ++covered[static_cast<std::size_t>(position_in(sample.shape, point))];
          });
        }
      }
      EXPECT_TRUE(std::ranges::all_of(covered, [](int times) { return times == 1; }));
    }
  });
}

TEST(Tiling, NothingOfAnEmptyBox) {
  Sample sample{{0, 20, 30}, 1, {0, 1, 2}, {2, 1, 0}, 16, 16, many_caches.front()};
  EXPECT_EQ(sample.tiling().tiles.parts(Box::whole(sample.shape)), 0);
  EXPECT_EQ(sample.tiling().batch, 1);
}

TEST(Tiling, LinesOfATileAreNumberedOnceAndWithoutGaps) {
  for_each_sample(small_shapes, [](const Sample& sample) {
    const Tiling tiling = sample.tiling();
    Box tile = Box::whole(tiling.tiles.extents);
    std::set<Index> numbers;
    for_each_point(tile, [&](const Point& point) {
      Index number = 0;
      for (int axis = 0; axis < point.size(); ++axis)
        number += point[axis] * tiling.line_number[axis];
      EXPECT_TRUE(numbers.insert(number).second);
    });
    EXPECT_EQ(*numbers.rbegin(), tiling.lines - 1);
    EXPECT_EQ(std::ssize(numbers), tiling.lines);
    EXPECT_EQ(tiling.lines_in(tile), tiling.lines);
    EXPECT_EQ(tiling.buffer_lines() % tiling.batch, 0);
    EXPECT_GE(tiling.buffer_lines(), tiling.lines);
  });
}

/// Long lines, short ones, and more contiguous axes than fit.
TEST(Tiling, LinesStayWithinTheBudgetUnlessCacheLinesNeedMore) {
  for (const std::vector<Shape>* shapes : {&small_shapes, &large_shapes})
    for_each_sample(*shapes, [](const Sample& sample) {
      const Tiling tiling = sample.tiling();
      Index least = 1;
      for (int axis : sample.contiguous()) least *= std::min(sample.shape[axis], sample.run());
      const auto budget = static_cast<Index>(tile_budget(sample.caches));
      EXPECT_LE(tiling.lines * sample.line_bytes(), std::max(budget, least * sample.line_bytes()));
      EXPECT_LE(tile_budget(sample.caches), sample.caches.level2);
      // Nor are they much smaller than they could be: doubled along some axis they would not fit.
      if (4 * tiling.lines * sample.line_bytes() > budget) return;
      for (int axis : tiling.tiles.axes) EXPECT_EQ(tiling.tiles.extents[axis], sample.shape[axis]);
    });
}

TEST(Tiling, ContiguousAxesAreCutBetweenCacheLines) {
  for (const std::vector<Shape>* shapes : {&small_shapes, &large_shapes})
    for_each_sample(*shapes, [](const Sample& sample) {
      const Tiling tiling = sample.tiling();
      for (int axis : sample.contiguous())
        if (const Index part = tiling.tiles.extents[axis]; part < sample.shape[axis]) {
          EXPECT_EQ(part % sample.run(), 0);
        }
    });
}

TEST(Tiling, BatchesFollowFromAllLinesAndFitTheBudget) {
  for_each_sample(large_shapes, [](const Sample& sample) {
    const Tiling whole = sample.tiling();
    EXPECT_TRUE(whole.batch == 1 || whole.batch * sample.line_bytes() <=
                                        static_cast<Index>(tile_budget(sample.caches)));
    if (sample.line_axis < 0) {
      EXPECT_EQ(whole.batch, 1);
      return;
    }
    EXPECT_LE(whole.batch, volume(sample.shape) / sample.shape[sample.line_axis]);
    for (int axis = 0; axis < sample.shape.size(); ++axis)
      for (int chunks : {2, 7}) {
        if (axis == sample.line_axis) continue;
        std::vector<Box> domains;
        for (int chunk = 0; chunk < chunks; ++chunk)
          domains.push_back(part_of(Box::whole(sample.shape), axis, chunks, chunk));
        EXPECT_EQ(sample.tiling(domains).batch, whole.batch);
      }
  });
}

TEST(Tiling, ThirdLevelCachesDoNotMatter) {
  Sample sample{{500, 60, 77}, 1, {0, 1, 2}, {2, 1, 0}, 16, 16, caches_of(1024, 0)};
  const Tiling without = sample.tiling();
  sample.caches = caches_of(1024, 260);
  EXPECT_EQ(sample.tiling().tiles.extents, without.tiles.extents);
  EXPECT_EQ(sample.tiling().lines, without.lines);
}

TEST(Cut, PartsFollowEachOtherAlongTheLastAxis) {
  const Cut cut{{2, 1, 3}, {2, 0}};
  const Box domain{{10, 0, 20}, {13, 5, 27}};
  ASSERT_EQ(cut.parts(domain), 6);
  EXPECT_EQ(cut.part(domain, 0), (Box{{10, 0, 20}, {12, 5, 23}}));
  EXPECT_EQ(cut.part(domain, 1), (Box{{12, 0, 20}, {13, 5, 23}}));
  EXPECT_EQ(cut.part(domain, 5), (Box{{12, 0, 26}, {13, 5, 27}}));
}

}  // namespace
}  // namespace weft
