// Kept modes without MPI: the runs of indices for a request, and that only these modes are sent.
#include "transform/modes.hpp"

#include <gtest/gtest.h>

#include "machine/caches.hpp"
#include "plan/route.hpp"

namespace weft {
namespace {

ModeMap map_of(Index length, Kind kind, const Modes& modes) {
  Transform transform({length}, kind);
  transform.modes = {modes};
  return mode_map(transform, 0);
}

TEST(ModeMap, HasARunOnEitherSideOfZero) {
  const ModeMap complex = map_of(8, Kind::c2c, Modes::up_to(2));
  EXPECT_EQ(complex.kept, 5);
  EXPECT_EQ(complex.runs, (std::vector<ModeRun>{{0, 0, 3}, {6, 3, 2}}));
  EXPECT_EQ(map_of(8, Kind::r2c, Modes::up_to(2)).runs, (std::vector<ModeRun>{{0, 0, 3}}));
  EXPECT_EQ(map_of(8, Kind::dct2, Modes::up_to(2)).runs, (std::vector<ModeRun>{{0, 0, 3}}));
  EXPECT_TRUE(map_of(8, Kind::c2c, Modes::up_to(4)).whole());
  EXPECT_TRUE(map_of(9, Kind::r2c, Modes{}).whole());
}

TEST(ModeMap, OfACoarserGridSharesTheNyquistMode) {
  EXPECT_EQ(map_of(12, Kind::c2c, Modes::of_grid(8)).nyquist, Nyquist::split);
  EXPECT_EQ(map_of(12, Kind::r2c, Modes::of_grid(8)).nyquist, Nyquist::doubled);
  EXPECT_EQ(map_of(12, Kind::c2c, Modes::of_grid(7)).nyquist, Nyquist::plain);
  EXPECT_EQ(map_of(12, Kind::c2c, Modes::of_grid(8)).kept, 8);
  EXPECT_EQ(map_of(12, Kind::r2c, Modes::of_grid(8)).kept, 5);
  EXPECT_TRUE(map_of(12, Kind::c2c, Modes::of_grid(12)).whole());
}

TEST(ModeMap, WavenumbersFollowTheRuns) {
  Transform transform({8}, Kind::c2c);
  transform.modes = {Modes{{{-3, -2}, {1, 4}}, 0}};
  EXPECT_EQ(transform.wavenumbers(0), (std::vector<Index>{1, 2, 3, 4, -3, -2}));
  transform.dropped = Dropped::zero;
  EXPECT_EQ(transform.wavenumbers(0), (std::vector<Index>{0, 1, 2, 3, 4, -3, -2, -1}));
}

/// Bytes that all ranks send in one forward, and the messages they take.
Geometry::Traffic sent(const Transform& transform, const Options& options, int ranks) {
  const Routes routes = make_routes({transform, options, {}, {}}, Topology::uniform(ranks, 0),
                                    Caches{1 << 20, 1 << 24, 0});
  Geometry::Traffic sum;
  for (const Geometry& geometry : routes.forward.exchanges)
    for (int rank = 0; rank < ranks; ++rank) {
      const Geometry::Traffic part = geometry.sent_by(rank);
      sum.bytes += part.bytes;
      sum.messages += part.messages;
    }
  return sum;
}

TEST(KeptModes, OfTheTwoThirdsRuleAndOfASphereSendWhatTheyMust) {
  Transform transform({256, 256, 256}, Kind::c2c);
  Options options;
  options.decomposition = Decomposition::pencil;
  options.grid = {2, 2};
  const auto full = static_cast<double>(sent(transform, options, 4).bytes);
  transform.modes.assign(3, Modes::up_to(85));
  const double rule = static_cast<double>(sent(transform, options, 4).bytes) / full;
  // Two thirds in the first exchange, four ninths in the second; of 256, 171 modes.
  const double share = 171.0 / 256;
  EXPECT_NEAR(rule, (share + share * share) / 2, 1e-3);
  EXPECT_LE(rule, 0.56);
  transform.modes.clear();
  transform.ellipse = {85, 85, 85};
  const double sphere = static_cast<double>(sent(transform, options, 4).bytes) / full;
  EXPECT_LE(sphere, 0.51);
}

TEST(KeptModes, LeaveOutRanksWhoseBoxIsDropped) {
  Transform transform({16, 32, 32}, Kind::c2c);
  transform.dropped = Dropped::zero;
  Options options;
  options.decomposition = Decomposition::slab;
  const Geometry::Traffic full = sent(transform, options, 8);
  // The middle of the axis that is split behind the exchange: four of eight ranks keep nothing.
  transform.modes = {Modes{}, Modes::up_to(7), Modes{}};
  const Geometry::Traffic kept = sent(transform, options, 8);
  EXPECT_EQ(full.messages, 8 * 7);
  EXPECT_EQ(kept.messages, 4 * 7);
  // Rank r holds 4 of 32 modes: 0-3, 4-7 (8 kept on ranks 0 and 1), and -8..-5, -4..-1 (7).
  EXPECT_EQ(kept.bytes, 16 / 8 * 7 * 15 * 32 * 16);
}

}  // namespace
}  // namespace weft
