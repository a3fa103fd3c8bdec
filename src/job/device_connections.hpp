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
  /// so once none of them can fail before: the library may wait for peers while it connects to
  /// them. Throws an Error if a pattern arrives wrong, or not within a minute after that.
  void make(DeviceMessages& messages);

 private:
  Device& device_;
  int rank_;
  Memory memory_;
  std::vector<DeviceMessages::Message> sent_, received_;
};

/// Collective: messages between the devices of these ranks, which live as long as the device, with
/// connections to the peers. Throws on all ranks if any of them cannot have them.
DeviceMessages* connected_messages(const Communicator& communicator, Device& device,
                                   const std::vector<int>& peers);

}  // namespace weft
