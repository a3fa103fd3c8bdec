// Which elements become ghost cells: each cell around each box exactly once, from the right
// element, by counting all cells one by one.
#include "halo/ghost_copies.hpp"

#include <gtest/gtest.h>

#include <map>

#include "cases/cases.hpp"
#include "support/error_checks.hpp"

namespace weft {
namespace {

/// The element that a cell shows; empty where it is outside of the array, or not asked for.
std::optional<Point> truth(const Layout& layout, const GhostCells& cells, const Box& box,
                           Point at) {
  int outside = 0;
  for (int axis = 0; axis < at.size(); ++axis) {
    const Index length = layout.global()[axis];
    outside += at[axis] < box.lower[axis] || at[axis] >= box.upper[axis];
    if (!cells.periodic[axis] && (at[axis] < 0 || at[axis] >= length)) return {};
    at[axis] = (at[axis] % length + length) % length;
  }
  if (outside == 0 || (outside > 1 && !cells.corners)) return {};
  return at;
}

void check(const Layout& layout, const GhostCells& cells) {
  for (int target = 0; target < layout.ranks(); ++target) {
    const Box box = layout.box(target);
    std::map<std::vector<Index>, std::vector<Index>> found;
    for (int source = 0; source < layout.ranks(); ++source)
      for (const GhostCopy& copy : ghost_copies(layout, cells, source, target)) {
        EXPECT_TRUE(layout.box(source).contains(copy.from));
        const Shape extents = copy.from.extents();
        for (Index number = 0; number < volume(extents); ++number) {
          std::vector<Index> from, cell;
          Index rest = number;
          for (int axis = extents.size() - 1; axis >= 0; --axis) {
            from.insert(from.begin(), copy.from.lower[axis] + rest % extents[axis]);
            cell.insert(cell.begin(), from.front() + copy.shift[axis]);
            rest /= extents[axis];
          }
          EXPECT_TRUE(found.emplace(cell, from).second) << "a cell is written twice";
        }
      }
    if (box.empty()) {
      EXPECT_TRUE(found.empty());
      continue;
    }
    Box around = box;
    for (int axis = 0; axis < box.axes(); ++axis) {
      around.lower[axis] -= cells.below[axis];
      around.upper[axis] += cells.above[axis];
    }
    std::size_t expected = 0;
    const Shape extents = around.extents();
    for (Index number = 0; number < volume(extents); ++number) {
      Point at = around.lower;
      Index rest = number;
      for (int axis = extents.size() - 1; axis >= 0; --axis) {
        at[axis] += rest % extents[axis];
        rest /= extents[axis];
      }
      const auto element = truth(layout, cells, box, at);
      if (!element) continue;
      ++expected;
      const auto known = found.find({at.begin(), at.end()});
      ASSERT_NE(known, found.end()) << "no cell at " << to_string(at);
      EXPECT_EQ(known->second, std::vector<Index>(element->begin(), element->end()));
    }
    EXPECT_EQ(found.size(), expected);
  }
}

TEST(GhostCopiesTest, EveryCellComesFromItsElement) {
  for (const bool corners : {true, false})
    for (const bool first : {true, false})
      for (const Index width : {0, 1, 3}) {
        const GhostCells cells{{width, 2, 1}, {1, width, 0}, {first, true, !first}, corners};
        check(Layout::pencils({7, 5, 4}, {2, 3}, 2), cells);
        check(Layout::bricks({5, 3, 6}, {2, 2, 2}), cells);
        check(Layout::slabs({2, 5, 4}, 4), cells);  // two ranks hold nothing
        check(test::irregular_boxes({6, 5, 4}, 5, 3), cells);
      }
}

/// Wider than neighbours' boxes, and than the whole array.
TEST(GhostCopiesTest, MayBeWiderThanBoxes) {
  check(Layout::slabs({5, 2}, 5), GhostCells::of_width({3, 1}));
  check(Layout::slabs({3, 2}, 3), GhostCells::of_width({7, 5}));
  check(Layout::slabs({3, 2}, 3), GhostCells::of_width({7, 5}, false));
}

TEST(GhostCopiesTest, LayoutsHaveRoomOrGetIt) {
  const Layout layout = Layout::slabs({8, 6}, 2);
  test::expect_error(
      [&] {
        with_room(layout.padded({1, 3}), GhostCells::of_width({1, 0}));
      },
      {"axis 0 has 2", "padded by at least 2"});
  test::expect_error([&] { with_room(layout, GhostCells::of_width({1})); }, {"below 1", "2 axes"});
  test::expect_error(
      [&] {
        with_room(layout, {{0, 0}, {0, -1}, {true, true}});
      },
      {"above 0, -1", "at least 0"});
  test::expect_error([&] { with_room(layout, {{0, 0}, {0, 0}, {true}}); }, {"periodic"});
  EXPECT_EQ(with_room(layout, {{1, 0}, {2, 0}, {true, true}}), layout.padded({3, 0}));
  EXPECT_EQ(with_room(layout.padded({4, 1}), GhostCells::of_width({1, 0})), layout.padded({4, 1}));
}

}  // namespace
}  // namespace weft
