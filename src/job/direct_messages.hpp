// Tests whether MPI really moves data in a device's memory. The test uses a plan's own buffers,
// because some MPIs recognise one piece of a device's memory and mistake another for the host's.
#pragma once

#include <cstddef>
#include <span>

#include "device/device.hpp"
#include "exchange/topology.hpp"
#include "mpi/communicator.hpp"

namespace weft {

/// Sends patterns of 8 B, 4 KiB and 1 MiB, or less if a buffer is smaller, from the first half of
/// each buffer to the second half of a neighbour's. Neighbours are on the node and on another node.
/// Messages use MPI_Isend and MPI_Irecv, and MPI_Ialltoallv. The patterns that arrive are read
/// through the device. Throws the same Error on all ranks if anything is wrong anywhere. All ranks
/// give the same number of buffers, which nothing else uses; their contents are lost. Collective.
void test_direct_messages(const Communicator& communicator, const Topology& topology,
                          Device& device, std::span<const std::span<std::byte>> buffers);

}  // namespace weft
