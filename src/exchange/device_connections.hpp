// The first messages between devices, which are sent while planning.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace weft {

/// A pattern for each rank that this one exchanges blocks with: with these, connections are there
/// before the first transform, and work.
class DeviceConnections {
 public:
  /// All ranks name each other's peers.
  DeviceConnections(Device& device, int rank, const std::vector<int>& peers);
  /// Sends the patterns, and compares what the peers send with what it must be. All ranks must do
  /// so once none of them can fail before. Throws an Error if a pattern arrives wrong, or not
  /// within a minute.
  void make(DeviceMessages& messages);

 private:
  Device& device_;
  int rank_;
  Memory memory_;
  std::vector<DeviceMessages::Message> sent_, received_;
};

}  // namespace weft
