// Asks the model twice, since it does not tell computation and exchanges apart.
#include "modelled.hpp"

#include <cstdlib>

#include "machine/caches.hpp"
#include "network/placement.hpp"
#include "tune/figures.hpp"
#include "tune/job_model.hpp"
#include "tune/network_text.hpp"

namespace weft::simulation {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The place of the rank at each position of the grid, where weft::place puts it.
std::vector<int> placed_for(const std::vector<int>& grid, const JobNetwork& network) {
  std::vector<int> place;
  for (const int rank : find_placement(grid, network).rank_at) place.push_back(network.place[rank]);
  return place;
}

}  // namespace

nlohmann::json modelled(const Route& route, const std::optional<JobNetwork>& network) {
  Figures figures = parse_figures(environment("WEFT_FIGURES"));
  const double total = JobModel(figures, network).seconds(route);
  figures["memory"] = figures["fft"] = 1e18;
  nlohmann::json line{{"modelled_seconds", JobModel(figures, network).seconds(route)},
                      {"modelled_total_seconds", total}};
  if (!network) return line;
  double load = 0;
  for (const Geometry& geometry : route.exchanges)
    load += exchange_load(geometry, *network).busiest.bytes / network->network.costs().bandwidth;
  line["load_seconds"] = load;
  return line;
}

nlohmann::json modelled_job(const Request& request, int ranks, bool placed) {
  const Topology topology = Topology::uniform(ranks, request.options.ranks_per_node);
  const Route route =
      make_routes({request.transform, request.options, {}, {}}, topology, machine_caches()).forward;
  const std::string described = environment("WEFT_NETWORK");
  std::optional<JobNetwork> network;
  if (!described.empty()) network = in_order(Network::parse(described), topology);
  if (network && placed) network->place = placed_for(request.options.grid, *network);
  nlohmann::json line = modelled(route, network);
  line["exchanges"] = request.options.exchange;
  line["grid"] = route.stages.front().from.process_grid();
  return line;
}

}  // namespace weft::simulation
