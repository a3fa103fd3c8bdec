// Communicators in the order of a process grid: what they contain, plans on them, and mistakes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>
#include <weft/place.hpp>

#include "cases/run_case.hpp"
#include "mpi/communicator.hpp"
#include "network/placement.hpp"
#include "support/environment.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

/// For each position, the rank in MPI_COMM_WORLD. Frees the communicator.
std::vector<int> ranks_of_positions(MPI_Comm placed) {
  int mine = world_rank();
  std::vector<int> all(static_cast<std::size_t>(ranks_of(placed)));
  MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, placed);
  MPI_Comm_free(&placed);
  return all;
}

TEST(PlaceTest, OrdersAllRanksForEveryGrid) {
  for (const char* network : {"", "torus:64", "fattree:2x32:2", "torus:3x3x3 bandwidth=1e9"})
    for (int rows = 1; rows <= world_ranks(); ++rows) {
      if (world_ranks() % rows != 0) continue;
      const std::vector<int> grid{rows, world_ranks() / rows};
      std::vector<int> ranks = ranks_of_positions(place(MPI_COMM_WORLD, grid, network));
      EXPECT_EQ(ranks, ranks_of_positions(place(MPI_COMM_WORLD, grid, network)));
      std::ranges::sort(ranks);
      for (int rank = 0; rank < world_ranks(); ++rank) EXPECT_EQ(ranks[rank], rank) << network;
    }
}

/// Of nodes that are one rank each, in odd numbers, too: which leaves are found depends on noise.
TEST(PlaceTest, MeasuresLeaves) {
  const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE", "1");
  std::vector<int> ranks =
      ranks_of_positions(place(MPI_COMM_WORLD, {1, world_ranks()}, "fattree:8x8 leaves=measured"));
  std::ranges::sort(ranks);
  for (int rank = 0; rank < world_ranks(); ++rank) EXPECT_EQ(ranks[rank], rank);
}

TEST(PlaceTest, KeepsColumnsOnNodesWhereRowsDoNotFit) {
  if (world_ranks() != 6) GTEST_SKIP() << "for 6 ranks";
  const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE", "3");
  EXPECT_EQ(ranks_of_positions(place(MPI_COMM_WORLD, {3, 2})),
            (std::vector<int>{0, 3, 1, 4, 2, 5}));
}

TEST(PlaceTest, DoesWhatTheSearchFinds) {
  const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE", "1");
  const EnvironmentVariable network("WEFT_NETWORK", "fattree:2x8:2");
  JobNetwork job{Network::parse("fattree:2x8:2"), {}, world_ranks()};
  for (int rank = 0; rank < world_ranks(); ++rank) job.place.push_back(rank);
  int other_orders = 0;
  for (int rows = 1; rows <= world_ranks(); ++rows) {
    if (world_ranks() % rows != 0) continue;
    const std::vector<int> grid{rows, world_ranks() / rows};
    const std::vector<int> expected = find_placement(grid, job).rank_at;
    EXPECT_EQ(ranks_of_positions(place(MPI_COMM_WORLD, grid)), expected);
    other_orders += expected != rank_order(grid, job).rank_at ? 1 : 0;
  }
  EXPECT_TRUE(world_ranks() != 6 || other_orders > 0) << "what would be tested?";
}

/// Nodes keep their places in a communicator with another order of ranks.
TEST(PlaceTest, KnowsPlacesByTheOrderOfTheWorld) {
  const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE", "1");
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &reversed);
  JobNetwork job{Network::parse("fattree:2x8:2"), {}, world_ranks()};
  for (int rank = world_ranks(); rank-- > 0;) job.place.push_back(rank);
  for (int rows = 1; rows <= world_ranks(); ++rows) {
    if (world_ranks() % rows != 0) continue;
    const std::vector<int> grid{rows, world_ranks() / rows};
    std::vector<int> expected;
    for (const int rank : find_placement(grid, job).rank_at)
      expected.push_back(world_ranks() - 1 - rank);
    EXPECT_EQ(ranks_of_positions(place(reversed, grid, "fattree:2x8:2")), expected);
  }
  MPI_Comm_free(&reversed);
}

TEST(PlaceTest, KnowsLeavesFromSlurm) {
  const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE", "1");
  const std::string leaf = std::to_string(world_rank() % 2);
  const EnvironmentVariable address("SLURM_TOPOLOGY_ADDR", "core.leaf" + leaf + ".node");
  const EnvironmentVariable pattern("SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.node");
  const std::string tree = "fattree:8x2:8";
  std::vector<std::size_t> leaves;
  for (int rank = 0; rank < world_ranks(); ++rank) leaves.push_back(rank % 2);
  const Network network = Network::parse(tree);
  const JobNetwork job{network, places_on_leaves(network, leaves), world_ranks()};
  const std::vector<int> grid{std::min(2, world_ranks()), std::max(1, world_ranks() / 2)};
  if (grid[0] * grid[1] != world_ranks()) GTEST_SKIP() << "for even numbers of ranks";
  EXPECT_EQ(ranks_of_positions(place(MPI_COMM_WORLD, grid, tree)),
            find_placement(grid, job).rank_at);
}

/// On one host, or several emulated ones: each host is a node.
TEST(PlaceTest, ReadsPlacesOfHostsFromAFile) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("weft-network-" + shared_by_rank_0(std::to_string(getpid())));
  std::vector<std::string> hosts;
  JobNetwork job{Network::parse("torus:8"), {}, 0};
  for (const std::string& host : texts_of_ranks(MPI_COMM_WORLD, host_name())) {
    const auto found = std::ranges::find(hosts, host);
    job.place.push_back(static_cast<int>(found - hosts.begin()));
    if (found == hosts.end()) hosts.push_back(host);
  }
  job.nodes = std::ssize(hosts);
  const std::vector<int> grid{world_ranks()};
  const auto call = [&] { return place(MPI_COMM_WORLD, grid, path.string()); };
  std::string all = "torus:8\n";
  for (std::size_t host = 0; host < hosts.size(); ++host)
    all += hosts[host] + ' ' + std::to_string(host) + '\n';
  const auto with_file = [&](const std::string& content, auto&& check) {
    if (world_rank() == 0) std::ofstream(path) << content;
    MPI_Barrier(MPI_COMM_WORLD);
    check();
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) std::filesystem::remove(path);
  };
  with_file(all, [&] { EXPECT_EQ(ranks_of_positions(call()), find_placement(grid, job).rank_at); });
  with_file("torus:8\nanother 3\n",
            [&] { expect_error_everywhere(call, {"no place for the host"}); });
}

TEST(PlaceTest, CarriesPlansWithRightResults) {
  for (const char* ranks_per_node : {"1", "2", "3"}) {
    const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE", ranks_per_node);
    const EnvironmentVariable network("WEFT_NETWORK", "torus:4x4");
    const int rows = world_ranks() % 2 == 0 ? world_ranks() / 2 : 1;
    MPI_Comm placed = place(MPI_COMM_WORLD, {rows, world_ranks() / rows});
    Case one;
    one.name = "placed";
    one.transform = Transform({9, 8, 7}, Kind::c2c);
    one.options.grid = {rows, world_ranks() / rows};
    one.options.exchange = "alltoallv";
    check_case(one, placed);
    MPI_Comm_free(&placed);
  }
}

TEST(PlaceTest, MistakesAreErrorsOnAllRanks) {
  const int ranks = world_ranks();
  const auto expect_mistake = [](const std::vector<int>& grid, const std::string& network,
                                 std::initializer_list<std::string> words) {
    expect_error_everywhere([&] { place(MPI_COMM_WORLD, grid, network); }, words);
  };
  expect_mistake({}, "", {"grid", "product"});
  expect_mistake({0, ranks}, "", {"grid 0x", "from 1"});
  expect_mistake({-1, -ranks}, "", {"grid -1x"});
  expect_mistake({ranks, 2}, "", {"grid", "product is " + std::to_string(ranks)});
  expect_mistake({1 << 30, 1 << 30, 16}, "", {"grid", "product"});
  expect_mistake({ranks}, "torus", {"network \"torus\"", "valid"});
  expect_mistake({ranks}, "/there/is/no/file", {"network", "/there/is/no/file"});
  if (ranks == 1) return;
  expect_mistake({ranks, 1 + world_rank() / (ranks - 1)}, "", {"grid"});
  expect_mistake(is_last_rank() ? std::vector<int>{1, ranks} : std::vector<int>{ranks, 1}, "",
                 {"grid", "all ranks must pass the same"});
  expect_mistake({ranks}, is_last_rank() ? "torus:64" : "torus:32", {"network", "rank"});
  const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE", "1");
  expect_mistake({ranks}, "torus:1", {"1 places", std::to_string(ranks) + " nodes"});
}

TEST(PlaceTest, PlansRefuseNetworksThatAreWrong) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank exchanges nothing";
  const EnvironmentVariable nodes("WEFT_RANKS_PER_NODE", "1");
  const EnvironmentVariable figures("WEFT_FIGURES", "p2p.beta=1e9");
  const EnvironmentVariable network("WEFT_NETWORK", is_last_rank() ? "torus:8" : "a ring");
  expect_plan_error(Transform({8, 8, 8}, Kind::c2c), Options(), {"network \"a ring\"", "torus"});
}

}  // namespace
}  // namespace weft::test
