// Any transport, for blocks that lie in a device's memory, where MPI may not reach them.
#pragma once

#include "exchange/host_mirror.hpp"
#include "exchange/transport.hpp"

namespace weft {

/// Where blocks lie, and how MPI reaches them.
struct BlockMemory {
  Device* device = &host_device();
  DevicePath path = DevicePath::staged;  ///< settled where messages are sent
  HostMirror* mirror = nullptr;          ///< of the device's memory; null on the host
};

/// Makes a transport of that method between buffers of the host, and copies blocks there and back
/// as they are started and arrive. With DevicePath::direct, and on the host, it is the method's
/// own. Collective over the members.
std::unique_ptr<Transport> make_staged(const TransportMethod& method, TransportContext context,
                                       const BlockMemory& memory);

}  // namespace weft
