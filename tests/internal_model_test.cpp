// What model and search choose among, and how the model ranks it.
#include <gtest/gtest.h>

#include <algorithm>

#include "machine/caches.hpp"
#include "tune/candidates.hpp"
#include "tune/model.hpp"

namespace weft {
namespace {

/// Eight ranks in two nodes, with nodes a hundred times as fast within as between them.
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
    result.push_back(within_nodes(geometry, nodes_of_four));
  return result;
}

TEST(ModelTest, KnowsWhichExchangesStayWithinNodes) {
  EXPECT_EQ(near(route("grid=2x4")), (std::vector<bool>{true, false}));
  EXPECT_EQ(near(route("decomposition=slab")), (std::vector<bool>{false}));
}

TEST(ModelTest, OffersSharedWithinNodes) {
  const Options pencils = Options::parse("grid=2x4, exchange=p2p");
  EXPECT_EQ(with_shared_nodes(pencils, {true, false}).exchange, "shared/p2p");
  EXPECT_EQ(with_shared_nodes(pencils, {true, true}).exchange, "shared");
  EXPECT_EQ(with_shared_nodes(pencils, {false, false}).exchange, "p2p");
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
  choose_chunks_and_methods(changed, options, true, nodes_of_four);
  EXPECT_EQ(changed.methods, (std::vector<std::string>{"shared", "alltoallv"}));
  EXPECT_EQ(predict(changed, slow_network), predict(route(to_string(options)), slow_network));
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

}  // namespace
}  // namespace weft
