// Each rank finds out about its own node; then all ranks have the same table.
#include "job/job_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>

#include "job/node_distances.hpp"

namespace weft {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The rank in MPI_COMM_WORLD of each rank; the ranks' own numbers if one has none there.
std::vector<int> world_ranks(const Communicator& communicator) {
  std::vector<int> in_world = ranks_within(MPI_COMM_WORLD, communicator);
  if (std::ranges::find(in_world, MPI_UNDEFINED) != in_world.end())
    std::iota(in_world.begin(), in_world.end(), 0);
  return in_world;
}

/// The number of each rank's node.
std::vector<int> node_numbers(const Job& job) {
  const std::vector<int> in_world = world_ranks(job.communicator);
  std::vector<int> first(in_world.size(),
                         -1);  // first rank in the world, by the rank that names a node
  for (int rank = 0; rank < job.communicator.size(); ++rank) {
    int& lowest = first[job.topology.node_of(rank)];
    lowest = lowest < 0 ? in_world[rank] : std::min(lowest, in_world[rank]);
  }
  std::vector<int> nodes;
  for (int rank = 0; rank < job.communicator.size(); ++rank)
    if (first[rank] >= 0) nodes.push_back(rank);
  std::ranges::sort(nodes, {}, [&](int node) { return first[node]; });
  std::vector<int> number(in_world.size());
  for (std::size_t node = 0; node < nodes.size(); ++node)
    number[nodes[node]] = static_cast<int>(node);
  for (int rank = job.communicator.size(); rank-- > 0;)
    number[rank] = number[job.topology.node_of(rank)];
  return number;
}

/// The text that describes the network, from rank 0.
std::string description(const Communicator& communicator, const std::string& asked) {
  std::string text;
  agree(communicator, [&] {
    if (communicator.rank() == 0)
      text = network_text(asked.empty() ? environment("WEFT_NETWORK") : asked);
  });
  return broadcast_text(communicator.get(), text);
}

std::vector<int> places_of_hosts(const Job& job, const NetworkFile& file) {
  int own = 0;
  agree(job.communicator, [&] {
    const auto found = file.place_of_host.find(host_name());
    if (found == file.place_of_host.end())
      throw Error(fmt::format("network \"{}\": its file has no place for the host {}",
                              file.network.text(), host_name()));
    own = found->second;
  });
  std::vector<int> place(static_cast<std::size_t>(job.communicator.size()));
  check_mpi(MPI_Allgather(&own, 1, MPI_INT, place.data(), 1, MPI_INT, job.communicator.get()),
            "MPI_Allgather");
  return place;
}

/// A number for the leaf switch of each rank's node; empty where any rank does not know it.
std::vector<std::size_t> leaves_by_scheduler(const Communicator& communicator) {
  const std::string leaf = leaf_in_address(environment("SLURM_TOPOLOGY_ADDR"),
                                           environment("SLURM_TOPOLOGY_ADDR_PATTERN"));
  if (largest(communicator.get(), leaf.empty() ? 1 : 0) > 0) return {};
  const std::size_t own = std::hash<std::string>{}(leaf);
  std::vector<std::size_t> all(static_cast<std::size_t>(communicator.size()));
  check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                          communicator.get()),
            "MPI_Allgather");
  return all;
}

/// A number for the leaf of each rank's node, by measured distances.
std::vector<std::size_t> leaves_by_measurement(const Job& job, const Network& network) {
  const std::vector<double> distances = node_distances(job);
  std::vector<std::size_t> leaf_of_node(static_cast<std::size_t>(job.topology.nodes()));
  if (job.communicator.rank() == 0) leaf_of_node = leaves_by_distance(network, distances);
  check_mpi(
      MPI_Bcast(leaf_of_node.data(), static_cast<int>(leaf_of_node.size() * sizeof(std::size_t)),
                MPI_BYTE, 0, job.communicator.get()),
      "MPI_Bcast");
  std::vector<std::size_t> leaves;
  std::map<int, std::size_t> number;  // of a node, by its first rank, in the order of first ranks
  for (int rank = 0; rank < job.communicator.size(); ++rank) {
    const int first = job.topology.node_of(rank);
    leaves.push_back(leaf_of_node[number.emplace(first, number.size()).first->second]);
  }
  return leaves;
}

/// The place of each rank's node; `node` has the number of each rank's node.
std::vector<int> places_of_nodes(const Network& network, const std::vector<int>& node,
                                 const std::vector<std::size_t>& leaf_of_rank) {
  if (leaf_of_rank.empty()) return node;
  std::vector<std::size_t> leaf(static_cast<std::size_t>(*std::ranges::max_element(node)) + 1);
  for (std::size_t rank = 0; rank < node.size(); ++rank) leaf[node[rank]] = leaf_of_rank[rank];
  const std::vector<int> place_of_node = places_on_leaves(network, leaf);
  std::vector<int> place;
  for (const int number : node) place.push_back(place_of_node[number]);
  return place;
}

}  // namespace

std::optional<JobNetwork> find_network(const Job& job, const std::string& asked) {
  const std::string text = description(job.communicator, asked);
  if (text.empty()) return {};
  NetworkFile file;
  agree(job.communicator, [&] {
    file = parse_network_file(text);
    file.network.require_places(job.topology.nodes());
  });
  JobNetwork found{file.network, {}, job.topology.nodes()};
  if (!file.place_of_host.empty()) {
    found.place = places_of_hosts(job, file);
    return found;
  }
  std::vector<std::size_t> leaves;
  if (file.network.leaves_are_measured())
    leaves = leaves_by_measurement(job, file.network);
  else if (file.network.has_leaves())
    leaves = leaves_by_scheduler(job.communicator);
  agree(job.communicator,
        [&] { found.place = places_of_nodes(file.network, node_numbers(job), leaves); });
  return found;
}

JobNetwork crossbar_of(const Job& job) {
  return {Network::crossbar(job.topology.nodes()), node_numbers(job), job.topology.nodes()};
}

}  // namespace weft
