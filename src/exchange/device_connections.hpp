// The first messages between devices, which are sent while planning.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace weft {

/// Sends a pattern to each of these ranks, and compares what they send with what it must be: so
/// connections are there before the first transform, and work. All ranks name each other's peers.
/// Throws an Error if a pattern arrives wrong, or not within a minute.
void connect(Device& device, DeviceMessages& messages, int rank, const std::vector<int>& peers);

}  // namespace weft
