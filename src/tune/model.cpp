// The cost model: a few additions per rank and exchange, cheap enough to rank every candidate, and
// no more exact than ranking needs.
#include "tune/model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft {
namespace {

// The share of the shorter of computation and communication that does not overlap even with many
// chunks, because communication needs processor time too.
constexpr double unhidden_share = 0.1;
// Starting messages and carrying them overlap for this share of the shorter of both times. It is
// between 0, if messages meet in the same links, and 1, and was fitted to simulations.
constexpr double overlapping_share = 1.0 / 3;
// Upper bound for the cost of each further block: its latency mostly overlaps with other work.
constexpr double longest_call = 20e-6;

double figure(const Figures& figures, const std::string& name, double otherwise) {
  const auto found = figures.find(name);
  return found == figures.end() ? otherwise : found->second;
}

/// The rank that holds most. The last part of an axis is the largest if parts are balanced, else
/// the first part is.
int fullest_rank(const Layout& layout) {
  std::vector<int> ranks{0, (layout.positions() - 1) * layout.stride_of_ranks()};
  if (!layout.has_grid()) {
    ranks.resize(static_cast<std::size_t>(layout.ranks()));
    std::iota(ranks.begin(), ranks.end(), 0);
  }
  return *std::ranges::max_element(ranks, {}, [&](int rank) { return layout.box(rank).volume(); });
}

/// How the ranks of a node share it. Figures are measured with all of them at work.
struct NodeShare {
  double cores = 1;  ///< a rank's share of the cores, relative to its share when all ranks work
  double link = 1;   ///< the same for the node's link
};

NodeShare share_of(const Layout& layout, const Topology& topology, const Figures& figures) {
  if (layout.positions() == layout.ranks()) return {};
  const std::vector<int> mates = topology.mates_of(fullest_rank(layout));
  const auto all = static_cast<double>(mates.size());
  const auto active = static_cast<double>(
      std::ranges::count_if(mates, [&](int mate) { return layout.position_of(mate) >= 0; }));
  const double cores = figure(figures, "cores", all);
  return {std::max(1.0, all / cores) / std::max(1.0, active / cores), all / active};
}

double elements_of(const Layout& layout) {
  return static_cast<double>(layout.box(fullest_rank(layout)).volume());
}

double pass_seconds(const Stage& stage, const NodeShare& share, const Figures& figures) {
  const double from = elements_of(stage.from), to = elements_of(stage.to);
  const double bytes = from * static_cast<double>(stage.input.bytes()) +
                       to * static_cast<double>(stage.output.bytes());
  double operations = 0;
  for (const Step& step : stage.steps) {
    const double reals = is_trigonometric(step.kind) || stage.input.real ? 0.5 : 1;
    operations += 5 * reals * std::max(from, to) *
                  std::log2(static_cast<double>(std::max<Index>(2, step.length)));
  }
  return (bytes / figure(figures, "memory", 10e9) + operations / figure(figures, "fft", 10e9)) /
         share.cores;
}

/// Bytes that a rank sends within its node (near) and to other nodes (far).
struct SentBytes {
  double near = 0, far = 0;
  int peers = 0;
};

SentBytes traffic_of(const Geometry& geometry, int rank, const Topology& topology) {
  SentBytes traffic;
  for (const int other : geometry.group_of(rank)) {
    if (other == rank) continue;
    const auto bytes = static_cast<double>(geometry.bytes_between(rank, other));
    (topology.node_of(other) == topology.node_of(rank) ? traffic.near : traffic.far) += bytes;
    ++traffic.peers;
  }
  return traffic;
}

/// Seconds until the busiest link has carried an exchange. `beta`: bytes per second that each of
/// `ranks` sends in an all-to-all, its own block not counted.
double link_seconds(double bytes, const LinkCharges& charges, double beta, double ranks) {
  if (bytes == 0) return 0;
  const double measured = charges.all_to_all * beta * ranks / (ranks - 1);
  const double bandwidth = charges.costs.bandwidth;
  return bytes / (bandwidth > 0 ? std::min(measured, bandwidth) : measured);
}

/// Whether the costs of the network replace the figures of an exchange.
bool is_described(const LinkCharges& charges, std::size_t number) {
  return !charges.loads.empty() && charges.loads[number].busiest.bytes > 0 &&
         charges.costs.are_complete();
}

/// Seconds that the busiest rank takes to start the messages of a block. If only the leaders of
/// nodes send, rank 0 is one of them.
double starting_seconds(const Route& route, std::size_t number, const NetworkCosts& costs) {
  Geometry whole = route.exchanges[number];
  whole.producer = whole.consumer = {};
  const auto messages = [&](int rank) {
    return route.methods[number]->sent(whole, rank, route.setting).messages;
  };
  return std::max(messages(0), messages(fullest_rank(whole.from))) * costs.message;
}

/// Seconds between nodes by the costs of the network. With one partner at a time nothing overlaps;
/// else the network carries the first messages while a rank starts the others.
double described_seconds(const Route& route, std::size_t number, const LinkCharges& charges) {
  const auto& [busiest, links] = charges.loads[number];
  const double starting = starting_seconds(route, number, charges.costs);
  const double carrying = busiest.bytes / charges.costs.bandwidth;
  const double share = route.methods[number]->traits.partners != nullptr ? 0 : overlapping_share;
  return links * charges.costs.latency + starting + carrying - share * std::min(starting, carrying);
}

/// Seconds that each further block takes, without carrying it.
double call_seconds(const Route& route, std::size_t number, const Figures& figures,
                    const LinkCharges& charges) {
  const ExchangeMethod& method = *route.methods[number];
  const double latency = method.traits.partners != nullptr && is_described(charges, number)
                             ? charges.loads[number].links * charges.costs.latency
                             : 0;
  if (is_described(charges, number) && charges.costs.message > 0)
    return latency + starting_seconds(route, number, charges.costs);
  return latency + std::min(longest_call, figure(figures, method.name + ".alpha", longest_call));
}

double exchange_seconds(const Route& route, std::size_t number, const NodeShare& share,
                        const Figures& figures, const LinkCharges& charges) {
  const Topology& topology = route.setting.topology;
  const int rank = fullest_rank(route.exchanges[number].from);
  const SentBytes traffic = traffic_of(route.exchanges[number], rank, topology);
  if (traffic.peers == 0) return 0;
  const std::string& method = route.methods[number]->name;
  const std::string& otherwise = default_exchange(Reach::between_nodes).name;
  const std::string near = (figures.contains(method + ".node.beta") ? method : otherwise) + ".node";
  const double ranks = static_cast<double>(topology.ranks());
  const double mates = static_cast<double>(topology.mates_of(rank).size());
  double seconds = 0;
  if (traffic.near > 0)
    seconds += (figure(figures, near + ".alpha", 5e-6) +
                traffic.near / figure(figures, near + ".beta", 5e9)) /
               share.cores;
  const double busiest = charges.loads.empty() ? 0 : charges.loads[number].busiest.bytes;
  if (is_described(charges, number)) {
    seconds += described_seconds(route, number, charges);
  } else if (traffic.far > 0 || busiest > 0) {
    // The measured beta counts all bytes of a rank, but only bytes that leave the node take time.
    const double leaving = (ranks - mates) / (ranks - 1);
    const std::string known = figures.contains(method + ".beta") ? method : otherwise;
    const double beta = figure(figures, known + ".beta", 1e9);
    seconds += figure(figures, known + ".alpha", 20e-6) * traffic.peers / (ranks - 1) +
               (charges.loads.empty() ? traffic.far / (beta * leaving * share.link)
                                      : link_seconds(busiest, charges, beta, ranks));
  }
  return seconds;
}

}  // namespace

double predict(const Route& route, const Figures& figures, const LinkCharges& charges) {
  const NodeShare share = share_of(route.stages.front().from, route.setting.topology, figures);
  std::vector<double> passes;
  double compute = 0, exchange = 0, calls = 0;
  for (const Stage& stage : route.stages) {
    passes.push_back(pass_seconds(stage, share, figures));
    compute += passes.back();
  }
  int first = 1, last = 1;
  for (std::size_t e = 0; e < route.exchanges.size(); ++e) {
    const Geometry& geometry = route.exchanges[e];
    exchange += exchange_seconds(route, e, share, figures, charges);
    const int blocks = geometry.aligned ? geometry.producer.count
                                        : geometry.producer.count * geometry.consumer.count;
    if (blocks > 1) calls += (blocks - 1) * call_seconds(route, e, figures, charges);
    if (e == 0) first = geometry.producer.count;
    last = geometry.consumer.count;
  }
  if (first * last == 1) return compute + exchange;
  const double outside = passes.front() / first + passes.back() / last;
  const double hiding = std::max(0.0, compute - outside);
  return outside + std::max(hiding, exchange) + unhidden_share * std::min(hiding, exchange) + calls;
}

}  // namespace weft
