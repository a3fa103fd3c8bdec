// Opens a window whose parts all ranks of a node address. The build selects which file implements
// it: simulated ranks share a process.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi/communicator.hpp"

namespace weft {

/// Collective. Every rank contributes `bytes`, uninitialised; MPI chooses the alignment. Throws
/// NoSharedMemory on all ranks if there is no room. The caller frees the window.
MPI_Win open_shared_window(const Communicator& node, std::size_t bytes);

/// The address of each rank's part of a window that open_shared_window opened, as this rank
/// addresses it. Collective.
std::vector<std::byte*> parts_of(MPI_Win window, const Communicator& node);

}  // namespace weft
