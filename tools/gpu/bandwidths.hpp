// Measures for `weft gpu` how fast blocks move between devices, and between a device and the host,
// by the ways that exchanges take.
#pragma once

#include <string>

#include "device/device.hpp"
#include "job/job.hpp"

namespace weft::command {

/// A table of rates, each the median of several that all ranks reach at the same time: copies
/// within the device, to and from pinned memory of the host, to the device of the next rank of
/// the node and to all of them, an all-to-all by MPI on the given path and staged, and one by
/// messages of the devices, or why there are none. Shares are of the bandwidth of the buses and
/// links of rank 0's device, if the machine reports it, or of copies within the device. Empty for
/// the host. Collective.
std::string bandwidths_text(const Job& job, Device& device, DevicePath path);

}  // namespace weft::command
