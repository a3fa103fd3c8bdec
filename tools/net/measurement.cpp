// Nodes are those of plans on the same ranks.
#include "net/measurement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "job/job.hpp"
#include "mpi/library_name.hpp"

namespace weft::net {

double Job::messages_leaving_a_node() const {
  double most = 0;
  for (const std::vector<int>& node : nodes) {
    const auto inside = static_cast<double>(node.size());
    most = std::max(most, inside * (ranks - inside));
  }
  return most;
}

Job find_job(MPI_Comm communicator, int ranks_per_node) {
  const Topology topology = join_job(communicator, ranks_per_node).topology;
  Job job{communicator, rank_in(communicator), ranks_in(communicator), {}};
  for (int rank = 0; rank < job.ranks; ++rank)
    if (topology.node_of(rank) == rank) job.nodes.push_back(topology.mates_of(rank));
  return job;
}

Findings findings_of(const std::string& measurement, const Arguments& arguments, const Job& job,
                     const std::string& convention, const std::string& details) {
  return {fmt::format("weft net {}: {} on {}; {}{}\n  {}\n", measurement,
                      counted(static_cast<std::size_t>(job.ranks), "rank"),
                      counted(job.nodes.size(), "node"), mpi_name(), details, convention),
          {{"measurement", measurement},
           {"mpi", mpi_name()},
           {"ranks", job.ranks},
           {"nodes", job.nodes},
           {"nodes_are_real",
            arguments.ranks_per_node == 0 && std::getenv("WEFT_RANKS_PER_NODE") == nullptr},
           {"repeats", arguments.repeats},
           {"convention", convention}}};
}

}  // namespace weft::net
