// Gives each rank a position in a process grid, so that ranks that exchange are near each other in
// the network.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>
#include <weft/export.hpp>

namespace weft {

/// A communicator of the same ranks in an order that suits a process grid: its rank r is at
/// row-major position r. A plan on it with the same `Options::grid` has less traffic on the busiest
/// link of the network. If no better order is found, ranks keep their order. Traffic means the
/// exchanges along the grid's dimensions, one after the other, with equal parts. Ranks of the same
/// node need no link between them.
///
/// `grid`: a count for each dimension; their product is the number of ranks. `network`: for example
/// "torus:8x8x8"; see docs/placement.md. Empty: the value of the environment variable WEFT_NETWORK
/// of rank 0; without it, only nodes are known.
///
/// The caller frees the result with MPI_Comm_free. Data that ranks already hold stay where they
/// are. Collective. The same arguments give the same order. Throws the same Error on every rank if
/// an argument is wrong, or differs between ranks.
WEFT_API MPI_Comm place(MPI_Comm communicator, const std::vector<int>& grid,
                        const std::string& network = "");

}  // namespace weft
