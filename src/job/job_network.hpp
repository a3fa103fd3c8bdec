// The network of a job, as the user or the scheduler describes it: MPI does not know it.
#pragma once

#include <optional>
#include <string>

#include "job/job.hpp"
#include "network/network.hpp"

namespace weft {

/// The network that `asked` describes; if `asked` is empty, the network in rank 0's environment
/// variable WEFT_NETWORK; nothing without both. Node i of the job is at place i. Nodes are counted
/// in the order of their ranks in MPI_COMM_WORLD, so that communicators with another order of ranks
/// get the same network. A file may name each host's place instead. For a fat tree, Slurm with its
/// plugin topology/tree names the nodes of each leaf. With leaves=measured, nodes that are near
/// each other form a leaf. Collective; throws on all ranks if the description is wrong or the
/// network is too small.
std::optional<JobNetwork> find_network(const Job& job, const std::string& asked = "");

/// A network in which one switch, large enough for the job, connects all nodes.
JobNetwork crossbar_of(const Job& job);

}  // namespace weft
