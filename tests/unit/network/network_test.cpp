// Networks: their descriptions, loads of links against a walk of every message hop by hop, and
// orders of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>

#include "support/error_checks.hpp"
#include "support/networks.hpp"
#include "tune/link_load.hpp"

namespace weft {
namespace {

TEST(NetworkTest, IsParsed) {
  EXPECT_EQ(Network::parse("torus:8x8x4").places(), 256);
  EXPECT_EQ(Network::parse("torus:4x3 hosts=2").extents(), (std::vector<int>{2, 4, 3}));
  EXPECT_EQ(Network::parse(" fattree:16x32:4  bandwidth=25e9 ").text(),
            "fattree:16x32:4 bandwidth=25e9");
  EXPECT_EQ(Network::parse("fattree:16x32:4 bandwidth=25e9").costs().bandwidth, 25e9);
  EXPECT_EQ(Network::parse("fattree:2x3:0.5").places(), 6);
  EXPECT_EQ(Network::parse("dragonfly:9x4x2").extents(), (std::vector<int>{2, 4, 9}));
  const NetworkCosts costs =
      Network::parse("crossbar:5 latency=2e-6 message=1e-6 bandwidth=1e9").costs();
  EXPECT_EQ(costs.latency, 2e-6);
  EXPECT_EQ(costs.message, 1e-6);
  EXPECT_TRUE(costs.are_complete());
  EXPECT_FALSE(Network::parse("torus:8 bandwidth=1e9").costs().are_complete());
  EXPECT_EQ(Network::crossbar(5).places(), 5);
}

TEST(NetworkTest, MistakesAreNamed) {
  for (const auto& [text, part] :
       std::map<std::string, std::string>{{"", "valid are torus:8x8x8"},
                                          {"ring:8", "valid are torus:8x8x8"},
                                          {"torus", "no count"},
                                          {"torus:", "no count"},
                                          {"torus:8x0", "\"0\""},
                                          {"torus:8x8x", "\"\""},
                                          {"torus:8x-2", "\"-2\""},
                                          {"torus:2x2x2x2x2x2x2", "7 counts"},
                                          {"torus:8x513", "513"},
                                          {"torus:512x512x512x512", "places"},
                                          {"torus:8 hosts=0", "\"0\""},
                                          {"torus:8 width=2", "width=2"},
                                          {"fattree:16", "1 counts"},
                                          {"fattree:16x4:3", "taper \"3\""},
                                          {"fattree:16x4:0", "taper \"0\""},
                                          {"fattree:16x4:-1", "taper \"-1\""},
                                          {"fattree:16x4:nan", "taper \"nan\""},
                                          {"fattree:16x4:1:1", "taper \"1:1\""},
                                          {"fattree:16x4 hosts=2", "hosts=2"},
                                          {"dragonfly:9x4", "2 counts"},
                                          {"torus:8 bandwidth=fast", "\"fast\""},
                                          {"torus:8 bandwidth=", "\"\""},
                                          {"torus:8 latency=0", "latency \"0\""},
                                          {"torus:8 message=1us", "message \"1us\""},
                                          {"crossbar:2x2", "2 counts"},
                                          {"torus:8 leaves=measured", "leaves=measured"},
                                          {"fattree:4x2 leaves=here", "leaves=here"},
                                          {"torus:8 bandwidth=inf", "\"inf\""}})
    test::expect_error([&, text = text] { Network::parse(text); },
                       {part, "network \"" + text + "\""});
  EXPECT_THROW(Network::parse("torus:2x2").require_places(5), Error);
}

TEST(NetworkTest, FilesNameHosts) {
  const NetworkFile file =
      parse_network_file("# ours\n\ntorus:2x2 # small\n\nnode7 3\nnode8 0 # moved\n");
  EXPECT_EQ(file.network.places(), 4);
  EXPECT_EQ(file.place_of_host, (std::map<std::string, int>{{"node7", 3}, {"node8", 0}}));
  for (const char* wrong : {"", "# nothing", "torus:2x2\nnode7", "torus:2x2\nnode7 4",
                            "torus:2x2\nnode7 1 2", "torus:2x2\nnode7 one", "torus:2x2\nn 1\nn 2"})
    EXPECT_THROW(parse_network_file(wrong), Error) << wrong;
  EXPECT_EQ(network_text("torus:2x2"), "torus:2x2");
  EXPECT_THROW(network_text("/there/is/no/such/file"), Error);
}

TEST(NetworkTest, LeavesComeFromSlurm) {
  EXPECT_EQ(leaf_in_address("core.leaf3.node17", "switch.switch.node"), "core.leaf3");
  EXPECT_EQ(leaf_in_address("leaf3.node17.site", "switch.node"), "leaf3");
  EXPECT_EQ(leaf_in_address("node17", "node"), "");
  EXPECT_EQ(leaf_in_address("", ""), "");
  const Network tree = Network::parse("fattree:2x3");
  EXPECT_EQ(places_on_leaves(tree, {7, 5, 7, 9}), (std::vector<int>{0, 2, 1, 4}));
  EXPECT_THROW(places_on_leaves(tree, {7, 7, 7}), Error);
  EXPECT_THROW(places_on_leaves(tree, {1, 2, 3, 4}), Error);
}

// --- the loads of links, against messages that walk one hop at a time ---

using Links = std::map<std::string, double>;

/// Nodes 0, 2 and 5 on one leaf, 1 and 4 on another, 3 on its own; with that noise.
std::vector<double> distances_of_leaves(double noise) {
  const std::vector<int> leaf{0, 1, 0, 2, 1, 0};
  std::minstd_rand random(3);
  std::vector<double> all(36);
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < a; ++b)
      all[a * 6 + b] = all[b * 6 + a] = (leaf[a] == leaf[b] ? 1e-6 : 1.6e-6) *
                                        (1 + noise * static_cast<double>(random() % 100) / 100);
  return all;
}

TEST(NetworkTest, LeavesAreFoundByDistance) {
  const Network tree = Network::parse("fattree:3x3");
  const std::vector<std::size_t> expected{0, 1, 0, 3, 1, 0};
  EXPECT_EQ(leaves_by_distance(tree, distances_of_leaves(0)), expected);
  EXPECT_EQ(leaves_by_distance(tree, distances_of_leaves(0.15)), expected);
  EXPECT_EQ(places_on_leaves(tree, expected), (std::vector<int>{0, 3, 1, 6, 4, 2}));
  const std::vector<std::size_t> threes{0, 0, 0, 1, 1, 1};  // in order
  EXPECT_EQ(leaves_by_distance(Network::parse("fattree:2x9"), distances_of_leaves(0)),
            (std::vector<std::size_t>{0, 0, 1, 1, 2, 2}))
      << "three nodes on a leaf of two";
  EXPECT_EQ(leaves_by_distance(Network::parse("fattree:9x2"), distances_of_leaves(0)),
            std::vector<std::size_t>(6))
      << "three leaves";
  EXPECT_EQ(leaves_by_distance(Network::parse("fattree:3x9"), std::vector<double>(36, 1e-6)),
            threes)
      << "all alike, with a leaf for each";
  EXPECT_EQ(leaves_by_distance(tree, std::vector<double>(36, 1e-6)), threes) << "all alike";
  EXPECT_EQ(leaves_by_distance(tree, {0}), std::vector<std::size_t>(1)) << "one node";
  std::vector<double> contradiction = distances_of_leaves(0);
  contradiction[2] = contradiction[12] = 1.6e-6;  // 0 and 2 are near 5, but far from each other
  EXPECT_EQ(leaves_by_distance(tree, contradiction), threes);
}

template <class... Part>
std::string link(const Part&... parts) {
  std::string name;
  ((name += std::to_string(parts) + ' '), ...);
  return name;
}

void walk_torus(const std::vector<int>& dimensions, int from, int to, double bytes, Links& links) {
  int stride = 1;
  for (std::size_t k = 0; k < dimensions.size(); stride *= dimensions[k++]) {
    const int n = dimensions[k], target = to / stride % n;
    for (int at = from / stride % n; at != target;) {
      const int distance = ((target - at) % n + n) % n;
      // Once on its way it does not turn round: what was half way is less than that afterwards.
      const int next = 2 * distance <= n ? (at + 1) % n : (at + n - 1) % n;
      const int router = from + (next - at) * stride;
      links[link(from, router, 2 * distance <= n)] += bytes;
      from = router;
      at = next;
    }
  }
}

void walk_tree(int hosts, int uplinks, int from, int to, double bytes, Links& links) {
  if (from / hosts == to / hosts) return;
  links[link(0, from / hosts, to % uplinks)] += bytes;
  links[link(1, to / hosts, to % uplinks)] += bytes;
}

void walk_dragonfly(int groups, int routers, int from, int to, double bytes, Links& links) {
  const auto gateway = [&](int group, int other) {
    std::vector<int> others;
    for (int one = 0; one < groups; ++one)
      if (one != group) others.push_back(one);
    const auto per_router = (others.size() + routers - 1) / routers;
    return group * routers +
           static_cast<int>((std::ranges::find(others, other) - others.begin()) / per_router);
  };
  const auto hop = [&](int next) {
    if (next != from) links[link(from, next)] += bytes;
    from = next;
  };
  const int group = from / routers, last = to / routers;
  if (group != last) {
    hop(gateway(group, last));
    hop(gateway(last, group));
  }
  hop(to);
}

using Walk = std::function<void(int, int, double, Links&)>;

struct WalkedNetwork {
  std::string text;
  Walk walk;
  bool own_links = true;  ///< of each node
};

/// The same as LinkLoads, without its groups and classes.
double walked(const WalkedNetwork& network, const std::vector<std::vector<Member>>& groups) {
  Links links, own;
  for (const std::vector<Member>& group : groups) {
    double weight = 0;
    for (const Member& member : group) weight += member.weight;
    for (const Member& source : group)
      for (const Member& target : group) {
        if (source.place == target.place) continue;
        const double bytes = source.bytes * target.weight / weight;
        network.walk(source.place, target.place, bytes, links);
        if (!network.own_links) continue;
        own[link(0, source.place)] += bytes;
        own[link(1, target.place)] += bytes;
      }
  }
  double most = 0;
  for (const Links* all : {&links, &own})
    for (const auto& [name, bytes] : *all) most = std::max(most, bytes);
  return most;
}

WalkedNetwork torus(const std::vector<int>& dimensions, int hosts) {
  std::string text = "torus:";
  for (const int dimension : dimensions) text += std::to_string(dimension) + 'x';
  text.back() = ' ';
  const Walk walk = [=](int from, int to, double bytes, Links& all) {
    walk_torus(dimensions, from / hosts, to / hosts, bytes, all);
  };
  return {text + "hosts=" + std::to_string(hosts), walk, hosts > 1};
}

const std::vector<WalkedNetwork> walked_networks{
    torus({8}, 1),
    torus({5, 3}, 1),
    torus({4, 2, 3}, 2),
    torus({4, 4, 4}, 1),
    torus({2, 1, 3, 2}, 1),
    {"fattree:4x6:2", [](int s, int t, double b, Links& l) { walk_tree(4, 2, s, t, b, l); }},
    {"fattree:3x5", [](int s, int t, double b, Links& l) { walk_tree(3, 3, s, t, b, l); }},
    {"fattree:2x5:0.5", [](int s, int t, double b, Links& l) { walk_tree(2, 4, s, t, b, l); }},
    {"dragonfly:5x2x3",
     [](int s, int t, double b, Links& l) { walk_dragonfly(5, 2, s / 3, t / 3, b, l); }},
    {"dragonfly:4x3x1", [](int s, int t, double b, Links& l) { walk_dragonfly(4, 3, s, t, b, l); }},
    {"dragonfly:1x4x2",
     [](int s, int t, double b, Links& l) { walk_dragonfly(1, 4, s / 2, t / 2, b, l); }},
    {"dragonfly:2x5x1",
     [](int s, int t, double b, Links& l) { walk_dragonfly(2, 5, s, t, b, l); }}};

TEST(LinkLoadsTest, AreThoseOfMessagesThatWalk) {
  std::minstd_rand random(7);
  for (const WalkedNetwork& one : walked_networks) {
    const Network network = Network::parse(one.text);
    for (int turn = 0; turn < 20; ++turn) {
      std::vector<std::vector<Member>> groups(1 + random() % 4);
      for (std::vector<Member>& group : groups)
        for (std::size_t members = 1 + random() % 12; members > 0; --members)
          group.push_back({static_cast<int>(random() % network.places()),
                           static_cast<double>(random() % 5),
                           static_cast<double>(1 + random() % 3)});
      groups.push_back(groups.back());  // what is added twice in a row counts twice
      LinkLoads loads(network, Detail::links);
      for (const std::vector<Member>& group : groups) loads.add(group);
      EXPECT_NEAR(loads.busiest().bytes, walked(one, groups), 1e-9) << one.text;
    }
  }
}

TEST(LinkLoadsTest, OfBundlesAreNeverMore) {
  std::minstd_rand random(11);
  for (const WalkedNetwork& one : walked_networks) {
    const Network network = Network::parse(one.text);
    std::vector<Member> some, all;
    for (int place = 0; place < network.places(); ++place) {
      all.push_back({place, 1, 1});
      if (random() % 3 == 0) some.push_back({place, 1, 1});
    }
    const auto load = [&](const std::vector<Member>& group, Detail detail) {
      LinkLoads loads(network, detail);
      loads.add(group);
      return loads.busiest().bytes;
    };
    EXPECT_LE(load(some, Detail::bundles), load(some, Detail::links) + 1e-9) << one.text;
    if (one.text.starts_with("torus")) {
      EXPECT_NEAR(load(all, Detail::bundles), load(all, Detail::links), 1e-9) << one.text;
    }
  }
}

/// Of a ring of 8, all with all: going up, 1 + 2 + 3 + 4 hops of an eighth of each node's data.
TEST(LinkLoadsTest, AreKnownForARing) {
  EXPECT_DOUBLE_EQ(all_to_all_load(filled("torus:8")), 1.25);
  EXPECT_DOUBLE_EQ(all_to_all_load(filled("torus:8", 3)), 3 * 1.25);
}

/// Of a ring of 8, all with all: 1 to 4 hops one way, 1 to 3 the other.
TEST(LinkLoadsTest, KnowHowFarBytesTravel) {
  const auto route = [](const std::string& text) {
    LinkLoads loads(Network::parse(text), Detail::links);
    loads.add(
        {{0, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {5, 1, 1}, {6, 1, 1}, {7, 1, 1}});
    loads.busiest();
    return loads.mean_route();
  };
  EXPECT_DOUBLE_EQ(route("torus:8"), 16.0 / 7);
  EXPECT_DOUBLE_EQ(route("crossbar:8"), 2);
  EXPECT_DOUBLE_EQ(route("fattree:4x2"), 2 + 2 * 4.0 / 7);
  EXPECT_DOUBLE_EQ(route("torus:1 hosts=8"), 2);
}

/// On a ring of 4: with the neighbours one hop and a block, with the opposite rank two and two.
TEST(LinkLoadsTest, OfOnePartnerAtATimeAreThoseOfItsSteps) {
  const Shape shape{4, 4, 4};
  Geometry geometry;
  geometry.from = Layout::slabs(shape, 4, 0);
  geometry.to = Layout::slabs(shape, 4, 1);
  const auto block = static_cast<double>(geometry.bytes_between(0, 1));
  EXPECT_DOUBLE_EQ(exchange_load(geometry, filled("torus:4")).busiest.bytes, 3 * block);
  const ExchangeLoad ring = stepwise_load(geometry, filled("torus:4"), pairwise_order);
  EXPECT_DOUBLE_EQ(ring.busiest.bytes, (1 + 2 + 1) * block);
  EXPECT_DOUBLE_EQ(ring.links, 1 + 2 + 1);
  const ExchangeLoad apart = stepwise_load(geometry, filled("crossbar:4"), pairwise_order);
  EXPECT_DOUBLE_EQ(apart.busiest.bytes, 3 * block);
  EXPECT_DOUBLE_EQ(apart.links, 3 * 2);
  EXPECT_EQ(stepwise_load(geometry, filled("crossbar:1", 4), pairwise_order).busiest.bytes, 0);
}

/// Of 40 steps 16 are looked at; on a crossbar all are alike. With an odd number each rank rests.
TEST(LinkLoadsTest, OfManyStepsSomeStandForAll) {
  for (const int ranks : {40, 41}) {
    const Shape shape{ranks, ranks, 1};
    Geometry geometry;
    geometry.from = Layout::slabs(shape, ranks, 0);
    geometry.to = Layout::slabs(shape, ranks, 1);
    const auto block = static_cast<double>(geometry.bytes_between(0, 1));
    const int steps = ranks == 40 ? 39 : 41;
    const ExchangeLoad load =
        stepwise_load(geometry, filled("crossbar:" + std::to_string(ranks)), pairwise_order);
    EXPECT_NEAR(load.busiest.bytes, steps * block, 1e-9);
    EXPECT_NEAR(load.links, 2 * steps, 1e-9);
  }
}

/// 32 ranks that exchange among themselves beside 20 others, which have fewer steps.
TEST(LinkLoadsTest, GroupsMayDifferInSize) {
  std::vector<Box> rows, columns;
  const auto add_group = [&](Index begin, Index ranks) {
    for (Index rank = 0; rank < ranks; ++rank) {
      rows.push_back(Box{{begin + rank, 0}, {begin + rank + 1, 32}});
      columns.push_back(Box{{begin, 32 * rank / ranks}, {begin + ranks, 32 * (rank + 1) / ranks}});
    }
  };
  add_group(0, 32);
  add_group(32, 20);
  Geometry geometry;
  geometry.from = Layout::boxes({52, 32}, rows);
  geometry.to = Layout::boxes({52, 32}, columns);
  const auto block = static_cast<double>(geometry.element.bytes());
  const double bytes = stepwise_load(geometry, filled("crossbar:52"), pairwise_order).busiest.bytes;
  EXPECT_GE(bytes, 31 * block);
  EXPECT_LE(bytes, 31 * 2 * block) << "blocks of the smaller group have up to two elements";
}

Geometry rows_exchange(const std::vector<int>& grid) {
  const Shape shape{32, 36, 40};
  Geometry geometry;
  geometry.from = Layout::pencils(shape, {grid[0], grid[1]}, 2);
  geometry.to = Layout::grid(shape, grid, {{0}, {}, {1}});
  return geometry;
}

TEST(LinkLoadsTest, OfAnExchangeCountEveryBlock) {
  const JobNetwork job = filled("torus:3x5", 2);
  const Geometry geometry = rows_exchange({5, 6});
  std::vector<std::vector<double>> sent(15, std::vector<double>(15, 0));
  for (int source = 0; source < 30; ++source)
    for (int target = 0; target < 30; ++target)
      sent[job.place[source]][job.place[target]] +=
          static_cast<double>(geometry.block_volume(source, target, 0, 0));
  Links links;
  for (int source = 0; source < 15; ++source)
    for (int target = 0; target < 15; ++target) {
      if (source == target) continue;
      walk_torus({3, 5}, source, target, sent[source][target], links);
    }
  const auto most = std::ranges::max_element(links, {}, [](const auto& one) { return one.second; });
  EXPECT_NEAR(exchange_load(geometry, job).busiest.bytes,
              most->second * static_cast<double>(geometry.element.bytes()), 1e-6);
}

}  // namespace
}  // namespace weft
