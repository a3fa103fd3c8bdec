// Loads are multiples of a rank's data, so that grids and networks can be compared: 1 means that
// one link carries the data of one rank.
#include "tune/network_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "machine/caches.hpp"
#include "network/placement.hpp"
#include "plan/describe.hpp"
#include "tune/candidates.hpp"
#include "tune/link_load.hpp"

namespace weft {
namespace {

Route forward_of(const RouteRequest& request, const Topology& topology) {
  return make_routes(request, topology, machine_caches()).forward;
}

/// Bytes that a rank holds on average before an exchange.
double held_by_a_rank(const Geometry& geometry) {
  return static_cast<double>(volume(geometry.from.global()) * geometry.element.bytes()) /
         geometry.from.positions();
}

std::string grid_text(const Route& route) {
  for (const Geometry& geometry : route.exchanges)
    if (geometry.from.has_grid())
      return fmt::format("{}", fmt::join(geometry.from.process_grid(), "x"));
  return "own boxes";
}

/// The loads of a route's exchanges, and their sum.
struct GridLoads {
  std::string grid;
  std::vector<double> loads;
  double sum() const { return std::accumulate(loads.begin(), loads.end(), 0.0); }
};

std::string sum_text(const std::vector<double>& loads) {
  return fmt::format("{:.3f} = {:.3f}", fmt::join(loads, " + "),
                     std::accumulate(loads.begin(), loads.end(), 0.0));
}

/// The loads of the busiest links with each grid that the planner could choose, the least first.
std::vector<GridLoads> loads_of_grids(RouteRequest request, const Topology& topology,
                                      const JobNetwork& job) {
  std::vector<GridLoads> all;
  request.options.decomposition = Decomposition::automatic;
  request.options.grid.clear();
  request.options.exchange = default_exchange(Reach::between_nodes).name;
  request.options.producer_chunks = request.options.consumer_chunks = 1;
  for (const Options& options : main_candidates(request, topology, {})) {
    request.options = options;
    try {
      const Route route = forward_of(request, topology);
      GridLoads& one = all.emplace_back();
      one.grid = grid_text(route);
      for (const Geometry& geometry : route.exchanges)
        one.loads.push_back(exchange_load(geometry, job).busiest.bytes / held_by_a_rank(geometry));
    } catch (const Error&) {
      // Not every grid is possible for every shape.
    }
  }
  std::ranges::stable_sort(all, {}, &GridLoads::sum);
  return all;
}

std::string heading(const JobNetwork& job) {
  return fmt::format("network {}: {} ranks on {} nodes, {} places\n", job.network.text(),
                     job.place.size(), job.nodes, job.network.places());
}

}  // namespace

JobNetwork in_order(const Network& network, const Topology& topology) {
  network.require_places(topology.nodes());
  JobNetwork job{network, {}, topology.nodes()};
  for (int rank = 0, node = -1; rank < topology.ranks(); ++rank)
    job.place.push_back(topology.node_of(rank) == rank ? ++node : node);
  return job;
}

std::string describe_network(const RouteRequest& request, const Topology& topology,
                             const JobNetwork& job) {
  const Route route = forward_of(request, topology);
  std::string text =
      heading(job) + "  through the busiest link, in multiples of what a rank holds:\n";
  for (std::size_t number = 0; number < route.exchanges.size(); ++number) {
    const Geometry& geometry = route.exchanges[number];
    const BusiestLink busiest = exchange_load(geometry, job).busiest;
    text += fmt::format("  exchange {}: {:.3f}, {}", number,
                        busiest.bytes / held_by_a_rank(geometry), bytes_text(busiest.bytes));
    if (job.network.costs().bandwidth > 0)
      text += fmt::format(" in {:.3g} ms", busiest.bytes / job.network.costs().bandwidth * 1e3);
    text += busiest.name.empty() ? "\n" : fmt::format(": {}\n", busiest.name);
  }
  text += "  by grid, all exchanges together:\n";
  const std::string own = grid_text(route);
  for (const GridLoads& one : loads_of_grids(request, topology, job))
    text += fmt::format("  {:>12}  {}{}\n", one.grid, sum_text(one.loads),
                        one.grid == own ? "  (this plan)" : "");
  return text;
}

std::string describe_placement(const RouteRequest& request, const Topology& topology,
                               const JobNetwork& job) {
  const Route route = forward_of(request, topology);
  if (route.exchanges.empty() || !route.exchanges[0].from.has_grid())
    return "placement: this plan has no process grid\n";
  if (route.exchanges[0].from.positions() != topology.ranks())
    return "placement: this plan leaves ranks without data, and weft::place wants a grid of all\n";
  const std::vector<int>& grid = route.exchanges[0].from.process_grid();
  const Placement own = rank_order(grid, job), best = find_placement(grid, job);
  const auto line = [&](const char* name, const Placement& placement) {
    return fmt::format("  {:>12}  {}\n", name,
                       sum_text(dimension_loads(grid, placement.rank_at, job)));
  };
  return heading(job) +
         fmt::format(
             "  placement for the grid {}: through the busiest link, by dimension, in "
             "multiples of what a rank holds:\n",
             fmt::join(grid, "x")) +
         line("rank order", own) + line("column-major", column_major_order(grid, job)) +
         line("weft::place", best) +
         (best.load < own.load ? fmt::format("  {:.2f} times less\n", own.load / best.load)
                               : "  rank order stays: no better order was found\n");
}

}  // namespace weft
