// Finds nodes with MPI's split by shared memory; every rank learns the node of every other.
#include "net/measurement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace weft::net {
namespace {

/// The lowest rank that shares memory with this one.
int first_of_node(MPI_Comm communicator, int rank) {
  MPI_Comm node;
  MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  int first = rank;
  MPI_Bcast(&first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return first;
}

}  // namespace

double Job::messages_leaving_a_node() const {
  double most = 0;
  for (const std::vector<int>& node : nodes) {
    const auto inside = static_cast<double>(node.size());
    most = std::max(most, inside * (ranks - inside));
  }
  return most;
}

Job find_job(MPI_Comm communicator, int ranks_per_node) {
  Job job{communicator, rank_in(communicator), ranks_in(communicator), {}};
  const int mine = ranks_per_node > 0 ? job.rank / ranks_per_node * ranks_per_node
                                      : first_of_node(communicator, job.rank);
  std::vector<int> firsts(static_cast<std::size_t>(job.ranks));
  MPI_Allgather(&mine, 1, MPI_INT, firsts.data(), 1, MPI_INT, communicator);
  std::map<int, std::vector<int>> nodes;
  for (int rank = 0; rank < job.ranks; ++rank)
    nodes[firsts[static_cast<std::size_t>(rank)]].push_back(rank);
  for (auto& [first, members] : nodes) job.nodes.push_back(std::move(members));
  return job;
}

Findings findings_of(const std::string& measurement, const Arguments& arguments, const Job& job,
                     const std::string& convention, const std::string& details) {
  return {fmt::format("weft net {}: {} on {}; {}{}\n  {}\n", measurement,
                      counted(static_cast<std::size_t>(job.ranks), "rank"),
                      counted(job.nodes.size(), "node"), mpi_version(), details, convention),
          {{"measurement", measurement},
           {"mpi", mpi_version()},
           {"ranks", job.ranks},
           {"nodes", job.nodes},
           {"nodes_are_real", arguments.ranks_per_node == 0},
           {"repeats", arguments.repeats},
           {"convention", convention}}};
}

}  // namespace weft::net
