// What must be known about the ranks of a plan before planning: their communicators and nodes, and
// that all of them make the same request.
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
/// decides, and without it nodes are as they are.
Job join_job(MPI_Comm communicator, int ranks_per_node);

/// Collective. The options; what is left at its default in them is as rank 0's environment variable
/// WEFT_OPTIONS says. Throws on all ranks if that is wrong.
Options completed_by_environment(const Job& job, const Options& options);

/// Collective. Returns the routes of the request. Throws on all ranks if the request of any is
/// wrong, or if they differ.
Routes check_request(const Job& job, const RouteRequest& request);

/// A text that is different for different layouts; boxes of the caller's own appear as a hash.
std::string layout_text(const Layout& layout);

}  // namespace weft
