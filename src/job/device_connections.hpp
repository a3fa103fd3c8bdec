// The first messages between devices, which are sent while planning.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace weft {

/// Sends a pattern to each rank that this rank exchanges blocks with. So connections are made and
/// tested before the first transform.
class DeviceConnections {
 public:
  /// If a rank names a peer, the peer must name this rank, too.
  DeviceConnections(Device& device, int rank, const std::vector<int>& peers);
  /// Sends the patterns, and checks the patterns of the peers. All ranks must call it, and none may
  /// fail before, because the library may wait for peers while it connects. Throws an Error if a
  /// pattern arrives wrong, or not within a minute after connecting.
  void make(DeviceMessages& messages);

 private:
  Device& device_;
  int rank_;
  Memory memory_;
  std::vector<DeviceMessages::Message> sent_, received_;
};

/// Collective: messages between the devices of these ranks, with connections to the peers. They
/// live as long as the device. Throws on all ranks if they fail on any rank.
DeviceMessages* connected_messages(const Communicator& communicator, Device& device,
                                   const std::vector<int>& peers);

}  // namespace weft
