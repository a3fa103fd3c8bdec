// Boxes and layouts, for all ranks in one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <weft/weft.hpp>

#include "cases/cases.hpp"
#include "support/error_checks.hpp"

namespace weft::test {
namespace {

/// Counts the owners of every index of a small array.
void expect_each_owned_once(const Layout& layout) {
  SCOPED_TRACE(to_string(layout) + " of " + to_string(layout.global()));
  std::vector<int> owners(volume(layout.global()));
  const auto whole = strides_of(layout.global(), natural_order(layout.global().size()));
  for (const Box& box : layout.boxes()) {
    EXPECT_TRUE(box.empty() || Box::whole(layout.global()).contains(box)) << to_string(box);
    std::vector<char> memory(box.volume() + 1);
    Array<char> local(std::shared_ptr<void>(std::shared_ptr<void>(), memory.data()), box,
                      strides_of(box.extents(), natural_order(box.axes())));
    local.for_each([&](const Point& point, char&) {
      Index offset = 0;
      for (int axis = 0; axis < point.size(); ++axis) offset += point[axis] * whole[axis];
      ++owners[offset];
    });
  }
  for (int count : owners) ASSERT_EQ(count, 1);
}

/// Every element of every rank's array has a place of its own, and they fill the array.
void expect_contiguous(const Layout& layout) {
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    const Box& box = layout.box(rank);
    std::vector<int> used(box.volume());
    Array<int> local(std::shared_ptr<void>(std::shared_ptr<void>(), used.data()), box,
                     layout.strides(rank));
    local.for_each([&](const Point&, int& element) {
      ASSERT_GE(&element, used.data());
      ASSERT_LT(&element, used.data() + used.size());
      ++element;
    });
    for (int count : used) ASSERT_EQ(count, 1);
  }
}

const std::vector<Shape> shapes{
    {1},       {7},       {12, 5},      {1, 9},          {6, 1, 8},
    {5, 7, 3}, {1, 1, 1}, {2, 3, 4, 5}, {3, 1, 2, 2, 4}, {2, 3, 1, 2, 3, 2}};
const std::vector<int> rank_counts{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 30};

TEST(LayoutTest, SlabsOwnEachIndexOnce) {
  for (const Shape& shape : shapes)
    for (int ranks : rank_counts)
      for (int axis = -shape.size(); axis < shape.size(); ++axis) {
        const Layout layout = Layout::slabs(shape, ranks, axis);
        EXPECT_EQ(layout.ranks(), ranks);
        EXPECT_TRUE(layout.has_grid());
        expect_each_owned_once(layout);
        expect_contiguous(layout);
      }
}

TEST(LayoutTest, SlabsAreBalanced) {
  const Layout layout = Layout::slabs({10, 3}, 4);
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(layout.box(rank).lower, (Point{10 * rank / 4, 0}));
    EXPECT_EQ(layout.box(rank).upper, (Point{10 * (rank + 1) / 4, 3}));
  }
  EXPECT_EQ(Layout::slabs({4, 6}, 2, -1), Layout::slabs({4, 6}, 2, 1));
}

TEST(LayoutTest, PencilsOwnEachIndexOnce) {
  for (const Shape& shape : shapes) {
    if (shape.size() < 3) continue;
    for (int ranks : rank_counts)
      for (int turn : {0, 1})
        for (int axis = -shape.size(); axis < shape.size(); ++axis) {
          const std::vector<int> grid = grid_of(ranks, 2, turn);
          const Layout layout = Layout::pencils(shape, {grid[0], grid[1]}, axis);
          EXPECT_EQ(layout.ranks(), ranks);
          EXPECT_TRUE(layout.is_local(axis < 0 ? axis + shape.size() : axis));
          expect_each_owned_once(layout);
        }
  }
}

TEST(LayoutTest, PencilsSplitTheFirstTwoOtherAxes) {
  const Layout layout = Layout::pencils({4, 6, 8, 5}, {2, 3}, 0);
  EXPECT_EQ(layout.ranks(), 6);
  EXPECT_EQ(layout.box(0), (Box{{0, 0, 0, 0}, {4, 3, 2, 5}}));
  EXPECT_EQ(layout.box(1), (Box{{0, 0, 2, 0}, {4, 3, 5, 5}}));
  EXPECT_EQ(layout.box(3), (Box{{0, 3, 0, 0}, {4, 6, 2, 5}}));
}

TEST(LayoutTest, BricksOwnEachIndexOnce) {
  for (const Shape& shape : shapes)
    for (int ranks : rank_counts)
      for (int turn = 0; turn < shape.size(); ++turn) {
        const std::vector<int> grid = grid_of(ranks, shape.size(), turn);
        const Layout layout = Layout::bricks(shape, PerAxis<int>(grid.begin(), grid.end()));
        EXPECT_EQ(layout.ranks(), ranks);
        expect_each_owned_once(layout);
        expect_contiguous(layout);
      }
}

TEST(LayoutTest, BricksAreInRowMajorOrder) {
  const Layout layout = Layout::bricks({4, 6}, {2, 3});
  EXPECT_EQ(layout.box(1), (Box{{0, 2}, {2, 4}}));
  EXPECT_EQ(layout.box(3), (Box{{2, 0}, {4, 2}}));
}

TEST(LayoutTest, GridsMaySplitAnAxisTwice) {
  for (const Shape& shape : {Shape{12, 5, 4}, Shape{5, 1, 7}})
    for (const PerAxis<std::vector<int>>& split :
         {PerAxis<std::vector<int>>{{0, 1}, {}, {}}, PerAxis<std::vector<int>>{{1, 0}, {}, {}},
          PerAxis<std::vector<int>>{{}, {2}, {1, 0}}}) {
      std::vector<int> grid{2, 3};
      if (split[1].size() == 1) grid.push_back(2);
      expect_each_owned_once(Layout::grid(shape, grid, split));
    }
  const Layout layout = Layout::grid({12}, {2, 3}, {{1, 0}});
  EXPECT_EQ(layout.box(1), (Box{{4}, {6}}));  // coarsest: dimension 1, where rank 1 comes second
}

TEST(LayoutTest, GridsMustUseEveryDimensionOnce) {
  const Shape shape{4, 6};
  expect_error([&] { Layout::grid(shape, {2, 3}, {{0}, {}}); }, {"grid"});
  expect_error([&] { Layout::grid(shape, {2, 3}, {{0}, {0, 1}}); }, {"grid"});
  expect_error([&] { Layout::grid(shape, {2, 3}, {{0}, {2}}); }, {"2"});
  expect_error([&] { Layout::grid(shape, {2, 3}, {{0}, {-1}}); }, {"-1"});
  expect_error([&] { Layout::grid(shape, {2, 3}, {{0, 1}}); }, {"4x6"});
  expect_error([&] { Layout::grid(shape, {2, 3}, {{0}, {1}, {}}); }, {"4x6"});
  expect_error([&] { Layout::grid(shape, {}, {{}, {}}); }, {"grid"});
}

TEST(LayoutTest, SpreadGridsLeaveRanksEmpty) {
  for (const Shape& shape : shapes)
    for (int positions : {1, 2, 3, 6})
      for (int ranks : {6, 7, 12, 13})
        for (int stride = 0; stride <= (positions > 1 ? (ranks - 1) / (positions - 1) : ranks);
             ++stride) {
          const std::vector<int> counts = grid_of(positions, shape.size());
          const Layout grid = Layout::bricks(shape, PerAxis<int>(counts.begin(), counts.end()));
          const Layout layout = grid.spread(ranks, stride);
          EXPECT_EQ(layout.ranks(), ranks);
          EXPECT_EQ(layout.positions(), positions);
          expect_each_owned_once(layout);
          for (int rank = 0; rank < ranks; ++rank) {
            const int position = layout.position_of(rank);
            EXPECT_TRUE(position >= 0 ? layout.box(rank) == grid.box(position)
                                      : layout.box(rank).empty() && layout.allocated(rank) == 0);
          }
          EXPECT_EQ(layout.has_empty_boxes(), std::ranges::any_of(layout.boxes(), &Box::empty));
          EXPECT_EQ(layout.largest_volume(), grid.largest_volume());
        }
}

TEST(LayoutTest, SpreadGridsAreAsFarApartAsPossible) {
  const Layout layout = Layout::slabs({9, 4}, 3).spread(8);
  EXPECT_EQ(layout.stride_of_ranks(), 2);
  EXPECT_EQ(layout.position_of(4), 2);
  EXPECT_EQ(layout.position_of(3), -1);
  EXPECT_EQ(layout.position_of(6), -1);
  EXPECT_EQ(Layout::slabs({9, 4}, 3).spread(8, 3).position_of(6), 2);
  EXPECT_EQ(to_string(layout), "grid 3x1 on 3 of 8 ranks, 2 apart, order 0 1");
  EXPECT_EQ(to_string(layout.spread(8, 1)), "grid 3x1 on the first 3 of 8 ranks, order 0 1");
}

TEST(LayoutTest, SpreadGridsStaySpread) {
  const Layout layout = Layout::pencils({4, 6, 8}, {2, 2}).spread(13, 3);
  for (const Layout& other :
       {layout.ordered({2, 0, 1}), layout.reshaped({5, 7, 3}),
        layout.partitioned(Partition::blocks), layout.padded({0, 0, 2}),
        layout.strided({100, 10, 1}), layout.padded({0, 0, 2}).contiguous()}) {
    EXPECT_EQ(other.ranks(), 13);
    EXPECT_EQ(other.stride_of_ranks(), 3);
    EXPECT_TRUE(other.box(1).empty());
    EXPECT_FALSE(other.box(9).empty());
  }
  EXPECT_FALSE(layout == layout.spread(13, 4));
  EXPECT_FALSE(layout == layout.spread(14, 3));
  EXPECT_EQ(layout, layout.spread(13, 4).spread(13, 3));
  EXPECT_EQ(layout.spread(4), Layout::pencils({4, 6, 8}, {2, 2}));
}

TEST(LayoutTest, CutsAreWhereTheListsSay) {
  const Layout layout = Layout::slabs({9, 4}, 3).ordered({1, 0}).spread(7, 3);
  const Layout cut = layout.cut_at({{0, 1, 1, 9}, {0, 4}});
  EXPECT_EQ(cut.box(0).extents(), (Shape{1, 4}));
  EXPECT_TRUE(cut.box(3).empty());
  EXPECT_EQ(cut.box(6).lower, (Point{1, 0}));
  EXPECT_EQ(cut.order(), layout.order());
  EXPECT_FALSE(cut == layout);
  EXPECT_EQ(cut.cut_at({layout.cuts(0), layout.cuts(1)}), layout);
  for (const PerAxis<std::vector<Index>>& wrong : {PerAxis<std::vector<Index>>{{0, 3, 6, 9}},
                                                   {{0, 3, 9}, {0, 4}},
                                                   {{0, 6, 3, 9}, {0, 4}},
                                                   {{0, 3, 6, 8}, {0, 4}},
                                                   {{1, 3, 6, 9}, {0, 4}}})
    expect_error([&] { layout.cut_at(wrong); }, {"cut_at", "ascending", "grid 3x1"});
  expect_error([&] { all_on({4, 6}, 3, 1).cut_at({{0, 4}, {0, 6}}); }, {"process grid"});
}

TEST(LayoutTest, ScrambledAxesAreCutBetweenClasses) {
  const Layout layout = Layout::scrambled(12, 4, 3);
  const Layout cut = layout.cut_at({{0, 6, 12, 12}});
  EXPECT_EQ(cut.box(1).lower, (Point{6}));
  EXPECT_TRUE(cut.box(2).empty());
  EXPECT_EQ(cut.classes(0), 4);
  EXPECT_EQ(cut.index_at(0, 7), 6);  // the second one with the remainder 2
  EXPECT_EQ(cut.cut_at({layout.cuts(0)}), layout);
  expect_error(
      [&] {
        layout.cut_at({{0, 4, 8, 12}});
      },
      {"cut_at", "scrambled by 4", "multiples of 3"});
  expect_error([&] { Layout::cyclic({12}, {3}).cut_at({{0, 3, 8, 12}}); }, {"cut_at", "dealt out"});
}

TEST(LayoutTest, SpreadsThatCannotBeAreNamed) {
  const Layout layout = Layout::slabs({4, 6}, 3);
  expect_error([&] { layout.spread(2); }, {"2 ranks", "grid 3", "at least 3"});
  expect_error([&] { layout.spread(8, 4); }, {"stride 4", "1 to 3"});
  expect_error([&] { layout.spread(8, -1); }, {"stride -1", "1 to 3"});
  expect_error([&] { all_on({4, 6}, 3, 1).spread(8); }, {"spread", "process grid"});
}

TEST(LayoutTest, BoxesOfTheCallerAreTaken) {
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (int ranks : {1, 2, 3, 8, 13}) {
      const Layout layout = irregular_boxes({5, 6, 7}, ranks, seed);
      EXPECT_EQ(layout.ranks(), ranks);
      expect_each_owned_once(layout);
      expect_contiguous(layout.ordered({2, 0, 1}));
    }
}

/// Callers of libraries with rules of their own tell every box, and still exchange along rows and
/// columns.
TEST(LayoutTest, BoxesOfAGridMakeThatGrid) {
  for (const Partition partition :
       {Partition::balanced, Partition::blocks, Partition::longer_first, Partition::longer_last})
    for (const PerAxis<std::vector<int>>& split :
         {PerAxis<std::vector<int>>{{0}, {1}, {}}, {{}, {0}, {1}}, {{1}, {}, {0}}}) {
      const Layout asked = Layout::grid({11, 9, 13}, {3, 4}, split, partition);
      const Layout made = Layout::boxes(asked.global(), asked.boxes());
      if (asked.has_empty_boxes()) continue;
      EXPECT_EQ(made, asked) << to_string(asked);
      EXPECT_EQ(made.partitioned(made.partition()), asked) << "the rule of the cuts is known";
    }
  const Layout bricks =
      Layout::bricks({6, 7, 8}, {2, 3, 2}).cut_at({{0, 1, 6}, {0, 3, 4, 7}, {0, 5, 8}});
  EXPECT_EQ(Layout::boxes(bricks.global(), bricks.boxes()), bricks);
  EXPECT_TRUE(Layout::boxes({3, 4}, {Box::whole({3, 4})}).has_grid());
}

TEST(LayoutTest, OtherBoxesHaveNoGrid) {
  const Shape shape{8, 6};
  std::vector<Box> boxes = Layout::grid(shape, {2, 2}, {{0}, {1}}).boxes();
  std::swap(boxes[1], boxes[3]);  // not in row-major order
  EXPECT_FALSE(Layout::boxes(shape, boxes).has_grid());
  boxes = Layout::slabs(shape, 4).boxes();
  std::ranges::reverse(boxes);
  EXPECT_FALSE(Layout::boxes(shape, boxes).has_grid());
  // As many cuts as a 2x2 grid, but the second one is not in the same place for all.
  boxes = {{{0, 0}, {4, 3}}, {{0, 3}, {4, 6}}, {{4, 0}, {8, 2}}, {{4, 2}, {8, 6}}};
  EXPECT_FALSE(Layout::boxes(shape, boxes).has_grid());
  boxes = {{{0, 0}, {8, 3}}, {{0, 0}, {0, 0}}, {{0, 3}, {8, 6}}};  // a rank holds nothing
  EXPECT_FALSE(Layout::boxes(shape, boxes).has_grid());
}

TEST(LayoutTest, BoxesThatOverlapAreNamed) {
  const std::string message = error_of([] {
    Layout::boxes({4, 4}, {{{0, 0}, {2, 4}}, {{2, 0}, {2, 4}}, {{1, 3}, {4, 4}}});
  });
  expect_words(message, {"overlap", "rank 0", "rank 2", "[0:2, 0:4]", "[1:4, 3:4]"});
}

TEST(LayoutTest, BoxesThatLeaveGapsAreRefused) {
  expect_error(
      [] {
        Layout::boxes({4, 4}, {{{0, 0}, {2, 4}}, {{2, 0}, {4, 3}}});
      },
      {"14", "16", "4x4"});
}

TEST(LayoutTest, BoxesOutsideTheShapeAreNamed) {
  expect_error(
      [] {
        Layout::boxes({4, 4}, {{{0, 0}, {2, 4}}, {{2, 0}, {4, 5}}});
      },
      {"rank 1", "[2:4, 0:5]", "4x4"});
  expect_error([] { Layout::boxes({4, 4}, {{{-1, 0}, {4, 4}}}); }, {"rank 0", "[-1:4"});
}

TEST(LayoutTest, BoxesOfOtherDimensionsAreNamed) {
  expect_error([] { Layout::boxes({4, 4}, {{{0, 0, 0}, {4, 4, 1}}}); }, {"rank 0", "axes"});
  expect_error([] { Layout::boxes({4, 4}, {{{0, 0}, {4}}}); }, {"rank 0", "axes"});
  expect_error([] { Layout::boxes({4, 4}, {}); }, {"boxes"});
}

TEST(LayoutTest, HugeBoxesAreNotTakenForEmptyOnes) {
  // 2^32 x 2^32 elements are 0 modulo 2^64.
  const Index big = Index{1} << 31;
  const Box huge{{-big, -big}, {big, big}};
  EXPECT_FALSE(huge.empty());
  error_of([&] { Layout::boxes({4, 4}, {Box::whole({4, 4}), huge}); });
}

TEST(LayoutTest, WrongArgumentsAreNamed) {
  expect_error([] { Layout::slabs({4, 4}, 0); }, {"0"});
  expect_error([] { Layout::slabs({4, 4}, -3); }, {"-3"});
  expect_error([] { Layout::slabs({4, 4}, 2, 2); }, {"axis 2", "4x4"});
  expect_error([] { Layout::slabs({4, 4}, 2, -3); }, {"axis -3", "4x4"});
  expect_error([] { Layout::slabs({}, 2); }, {"shape", "no axes"});
  expect_error([] { Layout::slabs({4, 0}, 2); }, {"4x0", "0"});
  expect_error([] { Layout::slabs({4, -2}, 2); }, {"-2"});
  expect_error([] { Layout::slabs({Index{1} << 40, Index{1} << 40}, 2); }, {"2^"});
  expect_error([] { Layout::pencils({4, 4}, {2, 2}); }, {"pencils", "4x4"});
  expect_error([] { Layout::pencils({4, 4, 4}, {2}); }, {"pencils", "2"});
  expect_error([] { Layout::pencils({4, 4, 4}, {2, 2, 2}); }, {"pencils", "2x2x2"});
  expect_error([] { Layout::pencils({4, 4, 4}, {2, 0}); }, {"2x0"});
  expect_error([] { Layout::pencils({4, 4, 4}, {2, 2}, 3); }, {"axis 3"});
  expect_error([] { Layout::bricks({4, 4, 4}, {2, 2}); }, {"bricks", "2x2", "4x4x4"});
  expect_error([] { Layout::bricks({4, 4}, {-1, 2}); }, {"-1x2"});
  // 2^17 x 2^17 ranks are more than an int holds.
  expect_error([] { Layout::bricks({4, 4}, {1 << 17, 1 << 17}); }, {"131072x131072"});
}

// Sizes in bytes fit 64 bits, as those of shapes do.
TEST(LayoutTest, GapsHaveALimit) {
  const Layout slabs = Layout::slabs({8, 6, 4}, 2);
  constexpr Index huge = Index{1} << 62, largest = Index{1} << 53;
  for (const auto& strides : {PerAxis<Index>{huge, 1, 1}, {1, 1, huge}, {huge, huge, huge}})
    expect_error([&] { slabs.strided(strides); }, {"strides", "2^58"});
  for (const auto& extra : {PerAxis<Index>{huge, 0, 0}, {0, 0, huge}, {1 << 30, 1 << 30, 0}})
    expect_error([&] { slabs.padded(extra); }, {"padding", "2^58"});
  EXPECT_EQ(slabs.strided({largest, 1, 6}).allocated(0), 3 * largest + 5 + 18 + 1);
  EXPECT_EQ(slabs.padded({largest, 0, 0}).allocated(0), (largest + 4) * 24);
}

TEST(LayoutTest, OrdersArePermutations) {
  const Layout layout = Layout::slabs({4, 6, 5}, 2);
  EXPECT_EQ(layout.strides(0), (PerAxis<Index>{30, 5, 1}));
  EXPECT_EQ(layout.ordered({2, 1, 0}).strides(0), (PerAxis<Index>{1, 2, 12}));
  EXPECT_EQ(layout.ordered({1, 2, 0}).strides(1), (PerAxis<Index>{1, 10, 2}));
  for (const Order& order :
       {Order{0, 1}, Order{0, 0, 1}, Order{1, 2, 3}, Order{-1, 0, 1}, Order{}, Order{0, 1, 2, 3}})
    expect_error([&] { layout.ordered(order); }, {"order"});
}

TEST(LayoutTest, ReshapedKeepsGridAndOrder) {
  const Layout layout = Layout::pencils({8, 6, 10}, {2, 2}).ordered({1, 0, 2});
  EXPECT_EQ(layout.reshaped({8, 6, 6}), Layout::pencils({8, 6, 6}, {2, 2}).ordered({1, 0, 2}));
  error_of([&] { layout.reshaped({8, 6}); });
  error_of([&] { irregular_boxes({4, 4}, 2, 0).reshaped({4, 3}); });
}

TEST(LayoutTest, LocalAxesAreThoseThatNobodySplits) {
  const Layout slabs = Layout::slabs({4, 6, 5}, 2);
  EXPECT_FALSE(slabs.is_local(0));
  EXPECT_TRUE(slabs.is_local(1));
  EXPECT_TRUE(all_on({4, 6}, 3, 1).is_local(0));
}

TEST(LayoutTest, PrintsItself) {
  const std::string text = to_string(Layout::pencils({8, 6, 10}, {2, 3}).ordered({1, 0, 2}));
  expect_words(text, {"2", "3", "order 1 0 2"});
}

/// Boxes of callers, before anybody has checked them.
TEST(BoxTest, OfAnyCornersIsEmptyOrNot) {
  constexpr Index least = std::numeric_limits<Index>::min(),
                  most = std::numeric_limits<Index>::max();
  EXPECT_TRUE((Box{{most}, {least}}).empty());
  EXPECT_FALSE((Box{{least}, {most}}).empty());
}

TEST(BoxTest, Arithmetic) {
  const Box a{{0, 2}, {5, 6}}, b{{3, 0}, {9, 4}};
  EXPECT_EQ(intersect(a, b), (Box{{3, 2}, {5, 4}}));
  EXPECT_EQ(a.volume(), 20);
  EXPECT_EQ(a.extents(), (Shape{5, 4}));
  EXPECT_TRUE(a.contains(Point{4, 5}));
  EXPECT_FALSE(a.contains(Point{5, 5}));
  EXPECT_TRUE(a.contains(Box{{1, 2}, {2, 3}}));
  EXPECT_FALSE(a.contains(b));
  EXPECT_TRUE(intersect(a, Box{{7, 7}, {9, 9}}).empty());
  EXPECT_TRUE((Box{{3, 0}, {2, 4}}).empty());
  EXPECT_EQ((Box{{3, 0}, {2, 4}}).volume(), 0);
  EXPECT_EQ(to_string(Box{{0, 128}, {64, 256}}), "[0:64, 128:256]");
  EXPECT_EQ(Box::whole({3, 4}), (Box{{0, 0}, {3, 4}}));
}

}  // namespace
}  // namespace weft::test
