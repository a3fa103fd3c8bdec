// The ranks of a run and the nodes that they are on.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace weft::net {

struct Job {
  MPI_Comm communicator = MPI_COMM_NULL;
  int rank = 0;
  int ranks = 1;
  std::vector<std::vector<int>> nodes;  ///< the ranks on each, ascending; nodes by their first rank

  /// Messages between ranks of different nodes that one node sends when every rank sends one to
  /// every other: those of the node that sends most.
  double messages_leaving_a_node() const;
  /// "4 ranks on 2 nodes; Open MPI v4.1.4"
  std::string describe() const;
};

/// Collective. Ranks that can share memory are on one node, as in the library; or each so many
/// consecutive ranks, where `ranks_per_node` is not 0.
Job find_job(MPI_Comm communicator, int ranks_per_node);

}  // namespace weft::net
