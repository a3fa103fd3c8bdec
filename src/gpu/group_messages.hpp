// Messages by NCCL or RCCL, on a stream of the plan.
#pragma once

#include <memory>

#include "backend/device_messages.hpp"
#include "gpu/runtime.hpp"

namespace weft {

/// See DeviceBackend::make_messages.
std::unique_ptr<DeviceMessages> make_group_messages(std::shared_ptr<const GpuContext> context,
                                                    const GroupName& name);

}  // namespace weft
