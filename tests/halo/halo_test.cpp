// Ghost cells on several ranks, of every size of elements, and transforms of the arrays around
// which they lie.
#include <gtest/gtest.h>

#include <complex>
#include <numeric>
#include <weft/halo.hpp>
#include <weft/plan.hpp>

#include "cases/cases.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

/// Another value for each element of the global array, and for cells that nobody fills.
double value_at(Point point, const Shape& global) {
  double value = 0;
  for (int axis = 0; axis < global.size(); ++axis)
    value = value * static_cast<double>(global[axis]) +
            static_cast<double>((point[axis] % global[axis] + global[axis]) % global[axis]);
  return value;
}
constexpr double untouched = 111;

/// Calls visit(point, cells outside along how many axes) for the box and its ghost cells.
template <class Visit>
void for_each_cell(const Box& box, const GhostCells& cells, Visit&& visit) {
  if (box.empty()) return;
  Box around = box;
  for (int axis = 0; axis < box.axes(); ++axis) {
    around.lower[axis] -= cells.below[axis];
    around.upper[axis] += cells.above[axis];
  }
  const Shape extents = around.extents();
  for (Index number = 0; number < volume(extents); ++number) {
    Point at = around.lower;
    Index rest = number;
    int outside = 0;
    for (int axis = extents.size() - 1; axis >= 0; --axis) {
      at[axis] += rest % extents[axis];
      rest /= extents[axis];
      outside += at[axis] < box.lower[axis] || at[axis] >= box.upper[axis];
    }
    visit(at, outside);
  }
}

template <class T>
void check(const Layout& layout, const GhostCells& cells) {
  running("ghost cells of " + to_string(layout));
  Halo halo(MPI_COMM_WORLD, layout, cells, sizeof(T));
  const Shape& global = layout.global();
  auto array = halo.make_array<T>();
  for (int repetition = 0; repetition < 2; ++repetition) {
    for_each_cell(halo.box(), cells, [&](const Point& at, int outside) {
      array.at(at) = static_cast<T>(outside == 0 ? value_at(at, global) + repetition : untouched);
    });
    halo.start(array);
    if (repetition == 1)
      while (!halo.test()) {
      }
    halo.wait();
    Index wrong = 0;
    for_each_cell(halo.box(), cells, [&](const Point& at, int outside) {
      bool is_filled = outside <= 1 || cells.corners;
      for (int axis = 0; axis < at.size(); ++axis)
        is_filled &= cells.periodic[axis] || (at[axis] >= 0 && at[axis] < global[axis]);
      const T expected = static_cast<T>(is_filled ? value_at(at, global) + repetition : untouched);
      wrong += array.at(at) != expected;
    });
    EXPECT_EQ(wrong, 0) << to_string(layout) << ", elements of " << sizeof(T) << " bytes";
  }
}

std::vector<Layout> layouts() {
  const int ranks = world_ranks(), even = ranks % 2 == 0 ? 2 : 1;
  return {Layout::slabs({4, 3, 5}, ranks), Layout::pencils({5, 6, 4}, {even, ranks / even}, 0),
          Layout::slabs({3, 6, 2}, ranks, 1).ordered({1, 2, 0}),
          irregular_boxes({5, 4, 6}, ranks, 11)};
}

TEST(HaloTest, FillsCellsFromTheirElements) {
  for (const Layout& layout : layouts())
    for (const bool corners : {true, false}) {
      check<double>(layout, {{1, 2, 0}, {2, 1, 1}, {true, false, true}, corners});
      check<double>(layout, {{0, 3, 1}, {1, 0, 2}, {false, true, false}, corners});
    }
}

TEST(HaloTest, HasElementsOfAnySize) {
  const GhostCells cells = GhostCells::of_width({1, 1, 2});
  for (const Layout& layout : layouts()) {
    check<std::int8_t>(layout, cells);
    check<std::int16_t>(layout, cells);
    check<float>(layout, cells);
    check<std::complex<double>>(layout, cells);
  }
}

/// A transform reads and writes the box where it lies, and leaves ghost cells alone.
TEST(HaloTest, ArraysAreTransformedInPlaceOfTheirBox) {
  const Shape shape{6, 8, 5};
  const GhostCells cells = GhostCells::of_width({2, 1, 1});
  Halo halo(MPI_COMM_WORLD, Layout::slabs(shape, world_ranks()), cells, sizeof(double));
  Plan plan(MPI_COMM_WORLD, Transform(shape, Kind::r2c), halo.layout(), Layout());
  auto array = halo.make_array<double>();
  auto spectrum = plan.make_output<std::complex<double>>();
  for_each_cell(halo.box(), cells, [&](const Point& at, int outside) {
    array.at(at) = outside == 0 ? value_at(at, shape) : untouched;
  });
  plan.forward(array.data(), spectrum);
  for_each_cell(halo.box(), cells, [&](const Point& at, int outside) {
    if (outside == 0) array.at(at) = -1;
  });
  plan.backward(spectrum, array.data());
  halo.update(array);
  for_each_cell(halo.box(), cells, [&](const Point& at, int) {
    EXPECT_NEAR(array.at(at), value_at(at, shape), 1e-10);
  });
}

TEST(HaloTest, MistakesAreErrorsOnAllRanks) {
  const Layout layout = Layout::slabs({8, 6}, world_ranks());
  const auto made = [&](const Layout& of, const GhostCells& cells, int bytes) {
    return [=] { Halo(MPI_COMM_WORLD, of, cells, bytes); };
  };
  const GhostCells one = GhostCells::of_width({1, 0});
  expect_error_everywhere(made(layout.padded({1, 0}), one, 8),
                          {"axis 0 has 2", "padded by at least 2"});
  expect_error_everywhere(made(layout, one, 3), {"3 bytes", "1, 2, 4, 8 and 16"});
  expect_error_everywhere(made(Layout::slabs({8, 6}, world_ranks() + 1), one, 8),
                          {"made for " + std::to_string(world_ranks() + 1) + " ranks"});
  if (world_ranks() == 1) return;
  GhostCells others = one;
  others.below[0] = world_rank() == 0 ? 1 : 0;
  expect_error_everywhere(made(layout, others, 8), {"ghost cells"});
  const std::string same = "all ranks must pass the same";
  expect_error_everywhere(
      made(Layout::slabs({8, world_rank() == 0 ? 6 : 7}, world_ranks()), one, 8), {same});
  PerAxis<std::vector<Index>> cuts{layout.cuts(0), layout.cuts(1)};
  if (world_rank() == 0) cuts[0][1] = 0;
  expect_error_everywhere(made(layout.cut_at(cuts), one, 8), {same});
}

/// From the first ghost cell to the last one.
TEST(HaloTest, MemoryOfStridedLayoutsHoldsGhostCells) {
  const Layout layout = Layout::slabs({world_ranks(), 4}, world_ranks()).strided({7, 1});
  Halo halo(MPI_COMM_WORLD, layout, GhostCells::of_width({1, 1}), sizeof(double));
  EXPECT_EQ(halo.offset(), 7 + 1);
  EXPECT_EQ(halo.allocated(), 2 * 7 + 5 + 1);
  auto array = halo.make_array<double>();
  for_each_cell(halo.box(), GhostCells::of_width({1, 1}),
                [&](const Point& at, int) { array.at(at) = 1; });
  halo.update(array);
}

TEST(HaloTest, SendsWhatOthersShow) {
  Halo halo(MPI_COMM_WORLD, Layout::slabs({4 * world_ranks(), 6}, world_ranks()),
            GhostCells::of_width({1, 0}), 8);
  const int others = std::min(world_ranks() - 1, 2);
  EXPECT_EQ(halo.sent().messages, others);
  EXPECT_EQ(halo.sent().bytes, world_ranks() > 1 ? 2 * 6 * 8U : 0U);
}

}  // namespace
}  // namespace weft::test
