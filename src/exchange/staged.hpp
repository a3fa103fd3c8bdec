// Lets any transport move blocks in a device's memory that MPI may not reach, by copying them.
#pragma once

#include "exchange/host_mirror.hpp"
#include "exchange/transport.hpp"

namespace weft {

/// Where blocks lie, and how MPI reaches them.
struct BlockMemory {
  Device* device = &host_device();
  DevicePath path = DevicePath::staged;  ///< as chosen by choose_device_path
  HostMirror* mirror = nullptr;          ///< of the device's memory; null on the host
};

/// Makes a transport of `method` between buffers of the host. Blocks are copied to the host when
/// they are started, and to the device when they arrive. With DevicePath::direct, and on the host,
/// returns the method's own transport. Collective over the members.
std::unique_ptr<Transport> make_staged(const TransportMethod& method, TransportContext context,
                                       const BlockMemory& memory);

}  // namespace weft
