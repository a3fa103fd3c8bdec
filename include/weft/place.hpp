// Which rank should take which position of a process grid, so that those that exchange are near
// each other in the network.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>
#include <weft/export.hpp>

namespace weft {

/// A communicator of the same ranks in an order that suits a process grid: its rank r is at
/// row-major position r. A plan made on it with `Options::grid` the same has less to carry on the
/// busiest link of the network, or as much: where no better order is found, ranks keep theirs. What
/// counts are the exchanges along the grid's dimensions, one after the other, with equal parts;
/// ranks of the same node need no link between them.
///
/// `grid`: a count for each dimension; together as many positions as the communicator has ranks.
/// `network`: see docs/placement.md, "torus:8x8x8" for example; empty: what the environment
/// variable WEFT_NETWORK of rank 0 says, and without it only nodes are known.
///
/// The caller frees the result with MPI_Comm_free; data that ranks hold already stay where they
/// are. Collective, the same order for the same arguments; throws the same Error on every rank
/// where an argument is wrong, or differs between ranks.
WEFT_API MPI_Comm place(MPI_Comm communicator, const std::vector<int>& grid,
                        const std::string& network = "");

}  // namespace weft
