// Orders of ranks for a process grid: better where there is something to gain, never worse,
// complete.
#include "network/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/networks.hpp"

namespace weft {
namespace {

void expect_every_rank_once(const Placement& placement, int ranks) {
  std::vector<int> sorted = placement.rank_at, all(ranks);
  std::iota(all.begin(), all.end(), 0);
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, all);
}

TEST(PlacementTest, OfATorusIsAQuarterBetterThanRankOrder) {
  const JobNetwork job = filled("torus:8x8x8");
  const std::vector<int> grid{16, 32};
  const Placement own = rank_order(grid, job), best = find_placement(grid, job);
  expect_every_rank_once(best, 512);
  EXPECT_DOUBLE_EQ(own.load, 3.25);
  EXPECT_GE(own.load / best.load, 1.25);
  EXPECT_DOUBLE_EQ(grid_load(grid, best.rank_at, job), best.load);
}

TEST(PlacementTest, IsNeverWorseThanRankOrder) {
  for (const char* text : {"torus:4x4x4", "torus:3x5 hosts=2", "torus:7", "fattree:4x6:2",
                           "dragonfly:5x2x3", "torus:2x3x4"})
    for (const int ranks_per_node : {1, 2, 3}) {
      const JobNetwork job = filled(text, ranks_per_node);
      const auto ranks = static_cast<int>(job.place.size());
      for (int rows = 1; rows <= ranks; ++rows) {
        if (ranks % rows != 0) continue;
        const Placement best = find_placement({rows, ranks / rows}, job);
        expect_every_rank_once(best, ranks);
        EXPECT_LE(best.load, rank_order({rows, ranks / rows}, job).load) << text << ' ' << rows;
        EXPECT_EQ(best.rank_at, find_placement({rows, ranks / rows}, job).rank_at);
      }
    }
}

TEST(PlacementTest, KeepsColumnsOnNodesWhereRowsDoNotFit) {
  const JobNetwork job{Network::crossbar(2), {0, 0, 0, 1, 1, 1}, 2};
  EXPECT_EQ(find_placement({3, 2}, job).rank_at, (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(find_placement({2, 3}, job).rank_at, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(PlacementTest, GathersRanksThatWereDealtToNodesInTurn) {
  const JobNetwork job{Network::crossbar(3), {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, 3};
  const Placement best = find_placement({3, 4}, job);
  EXPECT_EQ(best.rank_at, (std::vector<int>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
}

TEST(PlacementTest, ServesJobsThatFillNothingEvenly) {
  JobNetwork job{Network::parse("torus:3x3"), {8, 8, 1, 1, 1, 4, 0}, 4};
  for (const std::vector<int>& grid : {std::vector<int>{7}, {7, 1}, {1, 7}, {1, 1, 7}}) {
    const Placement best = find_placement(grid, job);
    expect_every_rank_once(best, 7);
    EXPECT_LE(best.load, rank_order(grid, job).load);
  }
}

}  // namespace
}  // namespace weft
