// Any transport, for blocks that lie in a device's memory, where MPI may not reach them.
#pragma once

#include "device/device.hpp"
#include "exchange/transport.hpp"

namespace weft {

/// Makes a transport of that method between buffers of the host, and copies blocks there and back
/// as they are started and arrive. With DevicePath::direct, and on the host, it is the method's
/// own.
std::unique_ptr<Transport> make_staged(const TransportMethod& method, TransportContext context,
                                       Device& device, DevicePath path);

}  // namespace weft
