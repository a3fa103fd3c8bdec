// Kernels of devices that are made for certain lines compute the same as those for any lines, with
// as little traffic as can be.
#include <gtest/gtest.h>

#include <string>

#include "truth/line_run.hpp"

namespace weft::test {
namespace {

constexpr TileAccess across = TileAccess::across, along = TileAccess::along;

/// Lines along an axis that is contiguous where they are read, written, both or not.
LineCase lines_of(LineKind kind, int length, TileVariant variant) {
  const auto order = [](TileAccess access) {
    return access == TileAccess::along ? Order{0, 2, 1} : Order{0, 1, 2};
  };
  return {kind, length, 1, order(variant.from), order(variant.to), 11, 1};
}

/// The most that whole tiles may move, in units of what they need.
struct MostTraffic {
  double memory = 1;
  double banks = 1;
};
template <class Real>
void expect_little_traffic(LineKind kind, int length, TileVariant variant, MostTraffic most,
                           const TestedDevice& device = {}) {
  LineCase lines = lines_of(kind, length, variant);
  lines.across = 256 / static_cast<Index>(sizeof(Real));
  LineRun<Real> run(lines, device);
  ASSERT_EQ(run.variant(), variant) << length;
  const TrafficCounters counters = run.checked();
  const auto what = testing::Message() << to_string(kind) << " " << length << " of " << sizeof(Real)
                                       << (variant.from == along ? " along" : " across")
                                       << (variant.to == along ? " to along" : " to across");
  EXPECT_LE(counters.read_ratio(), most.memory) << what;
  EXPECT_LE(counters.write_ratio(), most.memory) << what;
  EXPECT_LE(counters.bank_ratio(), most.banks) << what;
  EXPECT_LE(run.distance(), tolerance) << what;
}

constexpr TileVariant variants_along[] = {{across, along}, {along, across}, {along, along}};

TEST(TileVariants, RowsAcrossLinesMoveAtFullSpeed) {
  constexpr auto kind = LineKind::c2c_forward;
  for (const int length : {64, 96, 100, 128, 192, 200, 256, 360, 512, 768, 1024}) {
    expect_little_traffic<double>(kind, length, {across, across}, {});
    expect_little_traffic<float>(kind, length, {across, across}, {});
  }
  for (const int length : {1536, 2048, 4096})
    expect_little_traffic<double>(kind, length, {across, across}, {});
}

TEST(TileVariants, PowersOfTwoAlongLinesMoveAtFullSpeed) {
  constexpr auto kind = LineKind::c2c_forward;
  for (const TileVariant variant : variants_along) {
    for (const int length : {64, 128, 256, 512, 1024, 2048, 4096})
      expect_little_traffic<double>(kind, length, variant, {});
    for (const int length : {256, 512, 1024})
      expect_little_traffic<float>(kind, length, variant, {});
  }
}

/// Threads of several lines meet in banks and sectors.
TEST(TileVariants, OthersAreNotMuchSlower) {
  for (const TileVariant variant : variants_along) {
    for (const int length : {96, 100, 192, 200, 360, 384, 768, 1000, 1536})
      expect_little_traffic<double>(LineKind::c2c_forward, length, variant, {1, 1.5});
    for (const int length : {64, 96, 100, 128, 192, 200, 360, 384, 768})
      expect_little_traffic<float>(LineKind::c2c_forward, length, variant, {1.25, 2});
  }
}

/// Lines of their spectra begin within sectors.
TEST(TileVariants, NorAreRealLines) {
  for (const int length : {128, 256, 384, 512, 768, 1024}) {
    for (const TileAccess spectrum : {across, along}) {
      const MostTraffic most{1.2, 1.25};
      expect_little_traffic<double>(LineKind::r2c, length, {along, spectrum}, most);
      expect_little_traffic<double>(LineKind::c2r, length, {spectrum, along}, most);
    }
  }
}

/// Their blocks have a quarter of the shared memory, and wavefronts of 64 threads.
TEST(TileVariants, NorAreComputeUnits) {
  constexpr auto kind = LineKind::c2c_forward;
  for (const int length : {64, 128, 256, 512})
    expect_little_traffic<double>(kind, length, {across, across}, {}, compute_unit);
  for (const TileVariant variant : variants_along)
    for (const int length : {64, 128, 256, 512, 1024})
      expect_little_traffic<double>(kind, length, variant, {1, 1.5}, compute_unit);
}

TEST(TileVariants, ContiguousLinesOfATileAreNeighbours) {
  const LineRun<double> run({.length = 64, .axis = 2, .across = 20, .others = 30});
  EXPECT_EQ(run.variant(), (TileVariant{along, along}));
  EXPECT_EQ(run.distance_of_lines(), 64 * 16);
}

TEST(TileVariants, TilesOfContiguousLinesHaveFewThreads) {
  for (const int length : {64, 256, 512, 1024, 2048}) {
    const TilePlan plan = make_tile_plan(TileKind::c2c, length, sizeof(double));
    const TilePlan small = plan_for(plan, {along, along});
    EXPECT_LE(small.threads(), 128) << length;
    EXPECT_EQ(small.line_threads, plan.line_threads) << length;
    EXPECT_EQ(plan_for(plan, {along, across}), plan) << length;
  }
}

/// The compiler's plan for lines that it knows, the host's, and that for any lines.
template <class Real, LineKind kind, int length, TileVariant variant>
void expect_same_bits() {
  SCOPED_TRACE(std::string(to_string(kind)) + " " + std::to_string(length));
  constexpr TileKind tiles = kind == LineKind::r2c   ? TileKind::r2c
                             : kind == LineKind::c2r ? TileKind::c2r
                                                     : TileKind::c2c;
  constexpr TilePlan plan = plan_for(make_tile_plan(tiles, length, sizeof(Real)), variant);
  const LineCase lines = lines_of(kind, length, variant);
  LineRun<Real> variable(lines), fixed(lines), any(lines);
  ASSERT_EQ(variable.plan(), plan);
  ASSERT_EQ(variable.variant(), variant);
  variable.on_host();
  fixed.template fixed<plan, variant>();
  any.as_any();
  EXPECT_LE(variable.distance(), tolerance);
  EXPECT_EQ(variable.result(), fixed.result());
  EXPECT_EQ(variable.result(), any.result());
}

template <class Real, int length>
void expect_same_bits_of_all() {
  expect_same_bits<Real, LineKind::c2c_forward, length, TileVariant{across, across}>();
  expect_same_bits<Real, LineKind::c2c_backward, length, TileVariant{across, along}>();
  expect_same_bits<Real, LineKind::c2c_forward, length, TileVariant{along, across}>();
  expect_same_bits<Real, LineKind::c2c_backward, length, TileVariant{along, along}>();
  expect_same_bits<Real, LineKind::r2c, length, TileVariant{along, across}>();
  expect_same_bits<Real, LineKind::r2c, length, TileVariant{along, along}>();
  expect_same_bits<Real, LineKind::c2r, length, TileVariant{across, along}>();
  expect_same_bits<Real, LineKind::c2r, length, TileVariant{along, along}>();
}

TEST(TileVariants, PlansThatTheCompilerKnowsGiveTheSameBits) {
  expect_same_bits_of_all<double, 64>();
  expect_same_bits_of_all<double, 192>();
  expect_same_bits_of_all<float, 100>();
}

TEST(TileVariants, SoDoThoseOfFewLines) {
  expect_same_bits_of_all<double, 1536>();  // 4 lines
  expect_same_bits_of_all<double, 3000>();  // 2
  expect_same_bits_of_all<float, 1000>();   // 8 of 16
}

template <class Real, int length>
void expect_same_bits_in_pieces(int pieces) {
  constexpr TilePlan plan = make_tile_plan(TileKind::c2c, length, sizeof(Real));
  LineCase lines{.length = length, .axis = 1, .across = 11, .others = 1, .pieces = pieces};
  LineRun<Real> variable(lines), fixed(lines);
  ASSERT_EQ(variable.variant(), TileVariant());
  variable.on_host();
  fixed.template fixed<plan, TileVariant{}>();
  EXPECT_EQ(variable.result(), fixed.result());
}

TEST(TileVariants, SoDoThoseOfLinesInPieces) {
  expect_same_bits_in_pieces<double, 192>(2);
  expect_same_bits_in_pieces<double, 1080>(2);
  expect_same_bits_in_pieces<double, 3600>(3);  // 1 line
}

TEST(TileVariants, NoneIsMadeForLinesThatGainNothing) {
  const auto reads = [](TileKind kind, int length, TileAccess access) {
    return make_tile_plan(kind, length, sizeof(double)).reads(access);
  };
  EXPECT_TRUE(reads(TileKind::c2c, 8, across));
  EXPECT_FALSE(reads(TileKind::c2c, 8, along)) << "a thread has a line";
  EXPECT_TRUE(reads(TileKind::c2c, 60, along));
  EXPECT_FALSE(reads(TileKind::c2c, 97, across)) << "a convolution";
  EXPECT_FALSE(reads(TileKind::r2c, 64, across)) << "two reals are far apart";
  EXPECT_FALSE(reads(TileKind::r2c, 81, along)) << "an odd line is one of complex numbers";
  EXPECT_TRUE(make_tile_plan(TileKind::r2c, 64, sizeof(double)).writes(across));
  EXPECT_FALSE(make_tile_plan(TileKind::c2r, 64, sizeof(double)).writes(across));
}

}  // namespace
}  // namespace weft::test
