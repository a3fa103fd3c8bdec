// Messages between the pretended devices of processes, for tests without a device. Each pair of
// processes has a growing file in memory for each direction.
#pragma once

#include <memory>

#include "backend/device_messages.hpp"
#include "device/emulated_stream.hpp"

namespace weft {

/// See DeviceBackend::offer_group.
OfferedGroup offer_emulated_group(int members);

/// See DeviceBackend::make_messages.
std::unique_ptr<DeviceMessages> make_emulated_messages(const GroupName& name, EmulatedOrder order,
                                                       EmulatedLock lock);

}  // namespace weft
