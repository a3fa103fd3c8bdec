// Axes that are one stretch of memory: every element keeps its address. Gaps and cut rows forbid
// it.
#include "view/merged_axes.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr Index bytes = 16;

Box box_of(const Shape& lower, const Shape& upper) { return {lower, upper}; }

/// A box of an array with C order, whose rows are `gap` elements longer than the box.
View view_of_box(const Box& box, Index gap) {
  const Index row = (box.extent(2) + gap) * bytes;
  return {{nullptr}, {{box, 640, {row * box.extent(1), row, bytes}, 0}}};
}

TEST(MergedAxes, KeepAddresses) {
  const Box box = box_of({3, 5, 7}, {6, 9, 18});
  const View view = view_of_box(box, 0);
  const auto merged = MergedAxes::find(1, 2, {box}, {view}, {view});
  ASSERT_TRUE(merged);
  const View other = merged->of(view);
  for (Index x = 3; x < 6; ++x)
    for (Index y = 5; y < 9; ++y)
      for (Index z = 7; z < 18; ++z) {
        const Box one = merged->of(box_of({x, y, 7}, {x + 1, y + 1, 18}));
        EXPECT_EQ(one.volume(), 11);
        const Point point{x, 0, one.lower[2] + z - 7};
        EXPECT_EQ(other.pieces.front().offset_of(point), view.pieces.front().offset_of({x, y, z}));
      }
  EXPECT_EQ(merged->of(box).volume(), box.volume());
}

TEST(MergedAxes, NeedRowsWithoutGaps) {
  const Box box = box_of({0, 0, 0}, {3, 4, 5});
  EXPECT_FALSE(MergedAxes::find(1, 2, {box}, {view_of_box(box, 1)}, {view_of_box(box, 0)}));
  EXPECT_FALSE(MergedAxes::find(1, 2, {box}, {view_of_box(box, 0)}, {view_of_box(box, 1)}));
  EXPECT_FALSE(MergedAxes::find(2, 1, {box}, {view_of_box(box, 0)}, {view_of_box(box, 0)}));
}

TEST(MergedAxes, NeedWholeRows) {
  const Box box = box_of({0, 0, 0}, {3, 4, 5});
  const View view = view_of_box(box, 0);
  EXPECT_FALSE(MergedAxes::find(1, 2, {box, box_of({0, 0, 0}, {3, 4, 2})}, {view}, {view}));
  EXPECT_TRUE(MergedAxes::find(1, 2, {box, box_of({0, 1, 0}, {3, 3, 5})}, {view}, {view}));
}

TEST(MergedAxes, IgnoreEmptyBoxes) {
  const Box box = box_of({0, 0, 0}, {3, 4, 5}), empty = box_of({0, 0, 2}, {3, 0, 2});
  const View view = view_of_box(box, 0);
  EXPECT_FALSE(MergedAxes::find(1, 2, {empty}, {view}, {view}));
  const auto merged = MergedAxes::find(1, 2, {empty, box}, {view}, {view});
  ASSERT_TRUE(merged);
  EXPECT_TRUE(merged->of(empty).empty());
}

}  // namespace
}  // namespace weft
