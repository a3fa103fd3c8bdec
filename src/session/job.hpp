// The ranks of a plan before anything is planned: their communicators and nodes, and that all of
// them ask for the same.
#pragma once

#include "mpi/communicator.hpp"
#include "plan/route.hpp"

namespace weft {

struct Job {
  Communicator communicator;
  Communicator node;  ///< the ranks of this rank's node, or of what is taken for one
  Topology topology;
  bool check_calls = false;  ///< the environment asks that ranks compare each call
  Caches caches;  ///< at each level the smallest of any rank, so that all ranks plan alike
};

/// Collective. `ranks_per_node` 0: what the environment variable WEFT_RANKS_PER_NODE says (on rank
/// 0), else nodes as they are.
Job join_job(MPI_Comm communicator, int ranks_per_node);

/// Collective. Throws on all ranks what is wrong with the request of any, or where they differ;
/// else the routes it leads to.
Routes check_request(const Job& job, const RouteRequest& request);

/// Tells layouts apart; for people only in part.
std::string layout_text(const Layout& layout);

}  // namespace weft
