// Collects the facts about a plan's ranks before planning: their communicators and nodes. Also
// checks that all ranks make the same request.
#pragma once

#include "mpi/communicator.hpp"
#include "plan/route.hpp"

namespace weft {

struct Job {
  Communicator communicator;
  Communicator node;  ///< the ranks of this rank's node, real or pretended
  Topology topology;
  bool verify = false;       ///< the environment asks for certified results
  bool check_calls = false;  ///< the environment asks that ranks compare each call
  Caches caches;  ///< at each level the smallest of any rank, so that all ranks plan alike
};

/// Collective. If `ranks_per_node` is 0, the environment variable WEFT_RANKS_PER_NODE of rank 0
/// decides; without it, nodes are the real ones.
Job join_job(MPI_Comm communicator, int ranks_per_node);

/// Collective. The options, in which rank 0's environment variable WEFT_OPTIONS replaces defaults.
/// Settings for numbers (`verify`, short wires) do not reach transforms that move elements of any
/// type. Throws on all ranks if the variable is wrong.
Options completed_by_environment(const Job& job, const Options& options,
                                 const Transform& transform);

/// Collective. Returns the routes of the request. Throws on all ranks if any rank's request is
/// wrong, or if requests differ.
Routes check_request(const Job& job, const RouteRequest& request);

}  // namespace weft
