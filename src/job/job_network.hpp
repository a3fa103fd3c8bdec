// The network of a job, as the user or the scheduler describes it: MPI does not know it.
#pragma once

#include <optional>
#include <string>

#include "job/job.hpp"
#include "network/network.hpp"

namespace weft {

/// The network that `asked` describes, or if that is empty the environment variable WEFT_NETWORK of
/// rank 0; nothing if there is neither. Node i of the job is at place i, where nodes are counted in
/// the order of their ranks in MPI_COMM_WORLD, so that communicators with another order of ranks
/// know the same network. A file may name each host's place instead, and in a job of Slurm with its
/// plugin topology/tree the nodes of a leaf of a fat tree are those that Slurm names, or with
/// leaves=measured those that are near each other. Collective;
/// throws on all ranks where the description is wrong or the network too small.
std::optional<JobNetwork> find_network(const Job& job, const std::string& asked = "");

/// Nodes that have nothing between them but a switch which is large enough.
JobNetwork crossbar_of(const Job& job);

}  // namespace weft
