// The candidates of the model and the search, and how the model ranks them.
#include "tune/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "machine/caches.hpp"
#include "machine/hardware.hpp"
#include "support/environment.hpp"
#include "support/error_checks.hpp"
#include "support/networks.hpp"
#include "tune/candidates.hpp"
#include "tune/figures.hpp"
#include "tune/job_model.hpp"
#include "tune/link_load.hpp"

namespace weft {
namespace {

/// Eight ranks on two nodes; communication within a node is a hundred times as fast as between
/// nodes.
const Topology nodes_of_four = Topology::uniform(8, 4);
const Figures slow_network{{"memory", 10e9},
                           {"fft", 10e9},
                           {"p2p.alpha", 20e-6},
                           {"p2p.beta", 50e6},
                           {"alltoallv.alpha", 20e-6},
                           {"alltoallv.beta", 50e6},
                           {"shared.node.alpha", 1e-6},
                           {"shared.node.beta", 20e9},
                           {"alltoallv.node.alpha", 1e-5},
                           {"alltoallv.node.beta", 2e9}};

RouteRequest request(const std::string& options) {
  return {Transform({64, 64, 64}, Kind::c2c), Options::parse(options), {}, {}};
}

Route route(const std::string& options) {
  return make_routes(request(options), nodes_of_four, machine_caches()).forward;
}

std::vector<bool> near(const Route& route) {
  std::vector<bool> result;
  for (const Geometry& geometry : route.exchanges)
    result.push_back(geometry.is_within_nodes(nodes_of_four));
  return result;
}

TEST(ModelTest, KnowsWhichExchangesStayWithinNodes) {
  EXPECT_EQ(near(route("grid=2x4")), (std::vector<bool>{true, false}));
  EXPECT_EQ(near(route("decomposition=slab")), (std::vector<bool>{false}));
}

TEST(ModelTest, OffersSharedWithinNodes) {
  const Options pencils = Options::parse("grid=2x4, exchange=p2p");
  EXPECT_EQ(with_default_within_nodes(pencils, {true, false}).exchange, "shared/p2p");
  EXPECT_EQ(with_default_within_nodes(pencils, {true, true}).exchange, "shared");
  EXPECT_EQ(with_default_within_nodes(pencils, {false, false}).exchange, "p2p");
}

TEST(ModelTest, FindsSharedFasterWithinNodes) {
  EXPECT_LT(predict(route("grid=2x4, exchange=shared/p2p"), slow_network),
            predict(route("grid=2x4, exchange=p2p"), slow_network));
}

TEST(ModelTest, HidesTheShorterOfComputationAndCommunication) {
  const double blocking =
      predict(route("decomposition=slab, exchange=p2p, producer_chunks=1, consumer_chunks=1"),
              slow_network);
  const double chunks =
      predict(route("decomposition=slab, exchange=p2p, producer_chunks=4, consumer_chunks=4"),
              slow_network);
  EXPECT_LT(chunks, blocking);
}

TEST(ModelTest, ChangesOfARouteAreThoseOfANewOne) {
  Route changed = route("grid=2x4, exchange=p2p");
  const Options options =
      Options::parse("grid=2x4, exchange=shared/alltoallv, producer_chunks=4, consumer_chunks=8");
  choose_chunks_and_methods(changed, options, Direction::forward, nodes_of_four);
  EXPECT_EQ(changed.methods, (std::vector<const ExchangeMethod*>{&find_exchange("shared"),
                                                                 &find_exchange("alltoallv")}));
  EXPECT_EQ(predict(changed, slow_network), predict(route(to_string(options)), slow_network));
}

TEST(ModelTest, LooksAtFewGridsOfManyRanks) {
  const RouteRequest open = request("exchange=p2p, producer_chunks=1, consumer_chunks=1");
  const auto grids = [&](const Topology& topology) {
    std::vector<std::vector<int>> all;
    for (const Options& options : main_candidates(open, topology, {})) all.push_back(options.grid);
    return all;
  };
  EXPECT_EQ(grids(Topology::uniform(16, 1)),
            (std::vector<std::vector<int>>{{}, {2, 8}, {4, 4}, {8, 2}}));
  const auto few = grids(Topology::uniform(1 << 20, 64));
  EXPECT_LT(few.size(), 10U);
  for (const std::vector<int>& grid : {std::vector<int>{1024, 1024}, {16384, 64}, {64, 16384}})
    EXPECT_NE(std::ranges::find(few, grid), few.end());
}

TEST(ModelTest, LooksAtCyclicLayoutsOnlyWhereTheyAreAllowed) {
  const auto offers = [](const std::string& options) {
    return std::ranges::count(main_candidates(request(options), nodes_of_four, {"p2p"}),
                              Decomposition::cyclic, &Options::decomposition) > 0;
  };
  EXPECT_TRUE(offers("decomposition=any"));
  EXPECT_FALSE(offers(""));
  EXPECT_FALSE(offers("decomposition=any, grid=2x4")) << "the grid is that of pencils";
}

TEST(ModelTest, FindsOneExchangeBetweenCyclicLayoutsFaster) {
  const double cyclic = predict(route("decomposition=cyclic, exchange=p2p"), slow_network);
  for (const char* other : {"decomposition=slab, output=natural, exchange=p2p",
                            "grid=2x4, exchange=p2p", "grid=4x2, exchange=p2p"})
    EXPECT_LT(cyclic, predict(route(other), slow_network)) << other;
}

TEST(ModelTest, VariesTheMethodOfEachExchange) {
  const RouteRequest open = request("grid=2x4");
  const Options best =
      Options::parse("grid=2x4, exchange=p2p, producer_chunks=4, consumer_chunks=4");
  const std::vector<Options> all = variations(best, open, route(to_string(best)), nodes_of_four);
  const auto offered = [&](const std::string& exchange) {
    return std::ranges::find(all, exchange, &Options::exchange) != all.end();
  };
  EXPECT_TRUE(offered("alltoallv"));
  EXPECT_TRUE(offered("shared/p2p"));
  EXPECT_TRUE(offered("p2p/pairwise"));
  EXPECT_FALSE(offered("gather"));
}

TEST(ModelTest, OffersFewerRanks) {
  const auto counts = [](const Topology& topology) {
    std::vector<int> active;
    for (const Options& options : with_fewer_ranks(request("active_ranks=auto").options, topology))
      active.push_back(options.active_ranks);
    return active;
  };
  EXPECT_EQ(counts(nodes_of_four), (std::vector{0, 4, 2, 1}));
  EXPECT_EQ(counts(Topology::uniform(5, 0)), (std::vector{0, 3, 2, 1}));
  EXPECT_EQ(counts(Topology::uniform(60, 4)), (std::vector{0, 30, 15, 8, 4, 2, 1}));
  EXPECT_EQ(counts(Topology::uniform(21, 3)), (std::vector{0, 11, 7, 6, 3, 2, 1}));
  EXPECT_LE(counts(Topology::uniform(1 << 20, 96)).size(), 22) << "planning must stay quick";
  EXPECT_EQ(main_candidates(request("active_ranks=auto"), nodes_of_four, {"p2p"}).size(),
            main_candidates(request(""), nodes_of_four, {"p2p"}).size() + 3 * 4)
      << "three counts of ranks with four counts of chunks";
  for (const Options& options : main_candidates(request("active_ranks=6"), nodes_of_four, {"p2p"}))
    EXPECT_TRUE(options.grid.empty() || options.grid[0] * options.grid[1] == 6);
}

TEST(ModelTest, LooksAtARankThatHoldsMost) {
  const Figures free_network{{"memory", 10e9},
                             {"fft", 10e9},
                             {"p2p.alpha", 0},
                             {"p2p.beta", 1e18},
                             {"alltoallv.node.alpha", 0},
                             {"alltoallv.node.beta", 1e18}};
  const auto seconds = [&](const std::string& options) {
    return predict(route("exchange=p2p, " + options), free_network);
  };
  const double all = seconds("decomposition=slab");
  EXPECT_NEAR(seconds("active_ranks=1"), 8 * all, 1e-3 * all);
  EXPECT_NEAR(seconds("active_ranks=2"), 4 * all, 1e-3 * all);
  for (const char* rule : {"blocks", "longer_first", "longer_last"})
    EXPECT_NEAR(seconds(std::string("decomposition=slab, partition=") + rule), all, 1e-3 * all);
}

TEST(ModelTest, LeavesTheCoresToTheRanksThatWork) {
  const Topology one_node = Topology::uniform(8, 0);
  Figures figures{
      {"memory", 10e9}, {"fft", 10e9}, {"shared.node.alpha", 1e-3}, {"shared.node.beta", 20e9}};
  const auto seconds = [&](const std::string& options) {
    return predict(make_routes(request(options), one_node, machine_caches()).forward, figures);
  };
  EXPECT_LT(seconds(""), seconds("active_ranks=4"));
  figures["cores"] = 2;
  EXPECT_GT(seconds("active_ranks=4"), seconds("active_ranks=2"));
  EXPECT_GT(seconds(""), 1.5 * seconds("active_ranks=2"));
}

TEST(ModelTest, OneRankOnEachNodeHasItsLink) {
  const double all = predict(route("decomposition=slab, exchange=p2p"), slow_network);
  const double one_per_node = predict(route("active_ranks=2, exchange=p2p"), slow_network);
  EXPECT_LT(one_per_node, 1.2 * all) << "the bytes between the nodes are the same";
  EXPECT_GT(one_per_node, 0.8 * all);
}

/// 64 ranks with a node each, in a network; what the exchanges of a route put on its links.
struct JobOf64 {
  Topology topology = Topology::uniform(64, 1);
  JobNetwork network;
  Route route(const std::string& options) const {
    return make_routes(request(options + ", exchange=p2p"), topology, machine_caches()).forward;
  }
  LinkCharges charges(const Route& route) const {
    LinkCharges charges{{}, all_to_all_load(network), network.network.costs()};
    for (const Geometry& geometry : route.exchanges)
      charges.loads.push_back(exchange_load(geometry, network));
    return charges;
  }
  double seconds(const std::string& options) const {
    const Route own = route(options);
    return predict(own, slow_network, charges(own));
  }
};

/// The measured all-to-all is what the figures are about, so it takes as long on every network.
TEST(ModelTest, ChargesAnAllToAllAsMeasured) {
  for (const char* network : {"torus:8x8", "fattree:8x8:4", "dragonfly:4x4x4"}) {
    const JobOf64 job{.network = filled(network)};
    const std::string slabs = "decomposition=slab, producer_chunks=1, consumer_chunks=1";
    EXPECT_NEAR(job.seconds(slabs) / predict(job.route(slabs), slow_network), 1, 1e-9) << network;
  }
}

/// Without a network only bytes between nodes count, of which long rows have fewer.
TEST(ModelTest, ChargesRowsAndColumnsForTheirOwnLinks) {
  const auto expect_other_order = [](const char* network, const char* here, const char* elsewhere) {
    const JobOf64 job{.network = filled(network)};
    EXPECT_LT(job.seconds(here), job.seconds(elsewhere)) << network;
    EXPECT_GT(predict(job.route(here), slow_network), predict(job.route(elsewhere), slow_network));
  };
  expect_other_order("torus:8x8", "grid=8x8", "grid=4x16");        // rows and columns are rings
  expect_other_order("fattree:16x4:8", "grid=4x16", "grid=2x32");  // rows are leaves
}

TEST(ModelTest, KnowsThatLinksHaveABandwidth) {
  const JobOf64 slow{.network = filled("torus:8x8 bandwidth=1e3")};
  const Route route = slow.route("grid=8x8");
  const LinkCharges charges = slow.charges(route);
  EXPECT_GE(slow.seconds("grid=8x8"),
            (charges.loads[0].busiest.bytes + charges.loads[1].busiest.bytes) / 1e3);
}

/// 7 peers in each of two exchanges of 64^3, and two links on the way to each.
TEST(ModelTest, TakesTheCostsOfANetworkWhereTheyAreComplete) {
  const Figures free_passes{{"memory", 1e18}, {"fft", 1e18}};
  const auto seconds = [&](const std::string& costs, const std::string& method) {
    const JobModel model(free_passes, filled("crossbar:64 bandwidth=1e18 " + costs));
    const std::string options =
        "grid=8x8, producer_chunks=1, consumer_chunks=1, exchange=" + method;
    return model.seconds(
        make_routes(request(options), Topology::uniform(64, 1), machine_caches()).forward);
  };
  EXPECT_NEAR(seconds("latency=1e-3 message=1e-4", "alltoallv"), 14 * 1e-4 + 2 * 2e-3, 1e-9);
  EXPECT_NEAR(seconds("latency=1e-3 message=1e-4", "pairwise"), 14 * (1e-4 + 2e-3), 1e-9);
  // 14 blocks of 8 kB at 8 MB/s take 14 ms, a third of which starting them could hide.
  const std::string slow = "bandwidth=8192000 latency=1e-9 message=1e-3";
  EXPECT_NEAR(seconds(slow, "alltoallv"), 14e-3 + 14e-3 - 14e-3 / 3, 1e-6);
  EXPECT_NEAR(seconds(slow, "pairwise"), 14e-3 + 14e-3, 1e-6);
  EXPECT_GT(seconds("message=1e-4", "alltoallv"), 1e-5) << "incomplete: the figures' defaults";
  EXPECT_LT(seconds("message=1e-4", "alltoallv"), 1e-3);
}

/// Small messages are not worth more blocks, whether the cost of a message is described or not.
TEST(ModelTest, BlocksCostSomething) {
  for (const char* costs : {"", " message=1e-6"})
    for (const char* method : {"alltoallv", "pairwise"}) {
      const JobModel model({},
                           filled(std::string("crossbar:64 bandwidth=1e10 latency=1e-6") + costs));
      const auto seconds = [&](int chunks) {
        const std::string options = "grid=8x8, producer_chunks=" + std::to_string(chunks) +
                                    ", consumer_chunks=" + std::to_string(chunks) +
                                    ", exchange=" + method;
        RouteRequest small = request(options);
        small.transform = Transform({16, 16, 16}, Kind::c2c);
        return model.seconds(
            make_routes(small, Topology::uniform(64, 1), machine_caches()).forward);
      };
      EXPECT_LT(seconds(1), seconds(2)) << method << costs;
    }
}

TEST(FiguresTest, AreParsedOrRefused) {
  const Figures figures = parse_figures(" p2p.alpha=2e-5  p2p.beta=1e9 ");
  EXPECT_EQ(figures, (Figures{{"p2p.alpha", 2e-5}, {"p2p.beta", 1e9}}));
  for (const char* wrong : {"p2p.alpha", "=3", "p2p.alpha=", "p2p.alpha=fast", "p2p.alpha=1e9x",
                            "p2p.alpha=-1", "p2p.alpha=nan"})
    EXPECT_THROW(parse_figures(wrong), Error) << wrong;
}

TEST(HardwareTest, IsWhatTheEnvironmentDescribes) {
  test::EnvironmentVariable topology(
      "WEFT_TOPOLOGY", "pack:1 l3:1(size=64MiB) l2:4(size=512KiB) l1d:1(size=48KiB) core:1 pu:1");
  const Caches caches = caches_of(Hardware());
  EXPECT_EQ(caches.level1, 48 << 10);
  EXPECT_EQ(caches.level2, 512 << 10);
  EXPECT_EQ(caches.level3, 16 << 20) << "a quarter of what four cores share";
  topology.set("a machine");
  EXPECT_THROW(Hardware(), Error);
  for (const char* large : {"l3:99999999 pu:1", "64 64 2", "pack:4096(indexes=0:1) [numa:1] pu:2",
                            "core:999999999999999999999999 pu:1"}) {
    topology.set(large);
    test::expect_error([] { Hardware(); }, {large, "valid is up to 4096"});
  }
  topology.set("pack:16 l3:16(size=9999999) core:16 pu:1");
  EXPECT_NO_THROW(Hardware());
}

}  // namespace
}  // namespace weft
