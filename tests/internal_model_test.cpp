// The candidates of the model and the search, and how the model ranks them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "machine/caches.hpp"
#include "machine/hardware.hpp"
#include "tune/candidates.hpp"
#include "tune/figures.hpp"
#include "tune/model.hpp"

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

std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
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

TEST(FiguresTest, AreParsedOrRefused) {
  const Figures figures = parse_figures(" p2p.alpha=2e-5  p2p.beta=1e9 ");
  EXPECT_EQ(figures, (Figures{{"p2p.alpha", 2e-5}, {"p2p.beta", 1e9}}));
  for (const char* wrong : {"p2p.alpha", "=3", "p2p.alpha=", "p2p.alpha=fast", "p2p.alpha=1e9x",
                            "p2p.alpha=-1", "p2p.alpha=nan"})
    EXPECT_THROW(parse_figures(wrong), Error) << wrong;
}

TEST(HardwareTest, IsWhatTheEnvironmentDescribes) {
  const std::optional<std::string> before = environment("WEFT_TOPOLOGY");
  setenv("WEFT_TOPOLOGY", "pack:1 l3:1(size=64MiB) l2:4(size=512KiB) l1d:1(size=48KiB) core:1 pu:1",
         1);
  const Caches caches = caches_of(Hardware());
  EXPECT_EQ(caches.level1, 48 << 10);
  EXPECT_EQ(caches.level2, 512 << 10);
  EXPECT_EQ(caches.level3, 16 << 20) << "a quarter of what four cores share";
  setenv("WEFT_TOPOLOGY", "a machine", 1);
  EXPECT_THROW(Hardware(), Error);
  before ? setenv("WEFT_TOPOLOGY", before->c_str(), 1) : unsetenv("WEFT_TOPOLOGY");
}

}  // namespace
}  // namespace weft
