// Transforms and partitions as text, and that parsing the text restores them.
#include <gtest/gtest.h>

#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

#include "cases/cases.hpp"
#include "support/error_checks.hpp"

namespace weft {
namespace {

void expect_error(const std::string& text, std::initializer_list<std::string> words) {
  SCOPED_TRACE(text);
  test::expect_error([&] { Transform::parse(text); }, words);
}

void expect_same(const Transform& a, const Transform& b) {
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.kinds, b.kinds);
  EXPECT_EQ(a.precision, b.precision);
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_EQ(a.modes, b.modes);
  EXPECT_EQ(a.ellipse, b.ellipse);
  EXPECT_EQ(a.dropped, b.dropped);
}

TEST(TransformText, IsReadAsItIsPrinted) {
  for (const test::Case& one : test::shared_cases(4)) {
    SCOPED_TRACE(to_string(one.transform));
    expect_same(Transform::parse(to_string(one.transform)), one.transform);
  }
}

TEST(TransformText, SaysOneThingForAllAxes) {
  expect_same(Transform::parse("shape=6x8x10 kind=r2c"), Transform({6, 8, 10}, Kind::r2c));
  expect_same(Transform::parse("  kind=c2c axes=1,-1 shape=6x8x10  precision=float"),
              Transform({6, 8, 10}, Kind::c2c, {1, 2}, Precision::single_));
  Transform kept({12, 12}, Kind::c2c);
  kept.modes = {Modes::up_to(4), Modes::of_grid(8)};
  kept.scale.rule = Scale::Rule::ortho;
  expect_same(Transform::parse("shape=12x12 kind=c2c modes=2/3,grid_8 scale=ortho"), kept);
  expect_same(Transform::parse("shape=6x8x10 kind=dct2,none,r2c"),
              Transform({6, 8, 10}, {Kind::dct2, Kind::none, Kind::r2c}));
}

TEST(TransformText, OneValueHoldsForTheTransformedAxes) {
  const Transform plain({12, 3, 12}, {Kind::c2c, Kind::none, Kind::r2c});
  Transform kept = plain, rounded = plain;
  kept.modes = {Modes::up_to(4), Modes{}, Modes::up_to(4)};
  rounded.ellipse = {3.5, 0, 3.5};
  expect_same(Transform::parse("shape=12x3x12 kind=c2c,none,r2c modes=2/3"), kept);
  expect_same(Transform::parse("shape=12x3x12 kind=c2c,none,r2c ellipse=3.5"), rounded);
}

TEST(TransformText, NamesWhatIsWrong) {
  expect_error("", {"shape"});
  expect_error("kind=c2c", {"shape"});
  expect_error("shape=8x8", {"kind"});
  expect_error("shape=8x8 kind=c2c kinds=c2c,c2c", {"either"});
  expect_error("shape=8x8 kind=fft", {"fft", "c2c"});
  expect_error("shape=8x8 kinds=c2c,c2c,c2c", {"kind", "3 parts", "2 axes"});
  expect_error("shape=8x8 kind=c2c,r2c axes=1", {"axes", "names every axis"});
  expect_error("shape=8x8 kind=c2c modes=3,3,3", {"modes", "3 parts", "2 axes"});
  expect_error("shape=8x8 kind=c2c ellipse=3,x", {"ellipse", "x", "number"});
  expect_error("shape=8x8 kind=c2c axes=x", {"axes", "x"});
  expect_error("shape=8x8 kind=c2c colour=red", {"colour", "precision"});
  expect_error("shape=8x8 kind=c2c precision", {"precision", "name=value"});
  expect_error("shape=8x0 kind=c2c", {"8x0"});
}

// --- Partitions ---------------------------------------------------------------------------------

std::vector<Index> extents(Index length, int parts, Partition partition) {
  const Layout layout = Layout::slabs({length, 2}, parts).partitioned(partition);
  std::vector<Index> result;
  Index end = 0;
  for (const Box& box : layout.boxes()) {
    EXPECT_EQ(box.lower[0], end);
    end = box.upper[0];
    result.push_back(box.extent(0));
  }
  EXPECT_EQ(end, length);
  return result;
}

TEST(PartitionTest, CutsAsOtherLibrariesDo) {
  using Extents = std::vector<Index>;
  EXPECT_EQ(extents(10, 4, Partition::balanced), (Extents{2, 3, 2, 3}));
  EXPECT_EQ(extents(10, 4, Partition::blocks), (Extents{3, 3, 3, 1}));        // fftw_mpi_local_size
  EXPECT_EQ(extents(10, 4, Partition::longer_first), (Extents{3, 3, 2, 2}));  // PetscSplitOwnership
  EXPECT_EQ(extents(10, 4, Partition::longer_last), (Extents{2, 2, 3, 3}));   // decomp_2d_init
  EXPECT_EQ(extents(5, 4, Partition::blocks), (Extents{2, 2, 1, 0}));
  EXPECT_EQ(extents(2, 3, Partition::longer_first), (Extents{1, 1, 0}));
  EXPECT_EQ(extents(2, 3, Partition::longer_last), (Extents{0, 1, 1}));
}

TEST(PartitionTest, EveryElementIsInOneBox) {
  for (const Partition partition :
       {Partition::balanced, Partition::blocks, Partition::longer_first, Partition::longer_last})
    for (const Shape& shape : {Shape{7, 11, 5}, Shape{2, 3, 1}, Shape{64, 1, 9}}) {
      // The first axis is cut twice.
      const Layout layout =
          Layout::grid(shape, {3, 2, 2}, {{0, 2}, {1}, {}}, partition).ordered({2, 0, 1});
      EXPECT_EQ(layout.partition(), partition);
      EXPECT_EQ(Layout::boxes(shape, layout.boxes()).ordered({2, 0, 1}).boxes(), layout.boxes());
      Index longest = 0, largest = 0;
      bool empty = false;
      for (const Box& box : layout.boxes()) {
        longest = std::max(longest, box.extent(0));
        largest = std::max(largest, box.volume());
        empty = empty || box.empty();
      }
      EXPECT_EQ(layout.longest_part(0), longest);
      EXPECT_EQ(layout.largest_volume(), largest);
      EXPECT_EQ(layout.has_empty_boxes(), empty);
    }
}

/// Ranks that exchange along one grid dimension must not need others, however each axis is cut.
TEST(PartitionTest, CoarserCutsAreAmongFinerOnes) {
  for (const Partition partition :
       {Partition::balanced, Partition::blocks, Partition::longer_first, Partition::longer_last}) {
    const Layout coarse = Layout::grid({17, 8}, {3, 4}, {{0}, {1}}, partition);
    const Layout fine = Layout::grid({17, 8}, {3, 4}, {{0, 1}, {}}, partition);
    for (int rank = 0; rank < coarse.ranks(); ++rank) {
      const Box box = fine.box(rank), within = coarse.box(rank);
      if (box.empty()) continue;
      EXPECT_LE(within.lower[0], box.lower[0]);
      EXPECT_GE(within.upper[0], box.upper[0]);
    }
  }
}

TEST(PartitionTest, IsAnOptionByName) {
  EXPECT_EQ(Options::parse("partition=blocks").partition, Partition::blocks);
  EXPECT_EQ(to_string(Options::parse("partition=longer_first")), "partition=longer_first");
  EXPECT_THROW(Options::parse("partition=even"), Error);
}

}  // namespace
}  // namespace weft
