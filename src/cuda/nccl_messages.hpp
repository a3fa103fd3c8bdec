// NCCL's messages on a stream of the plan's.
#pragma once

#include <memory>

#include "cuda/cuda_call.hpp"
#include "device/device_messages.hpp"

namespace weft {

/// See DeviceBackend::join_group.
std::unique_ptr<DeviceMessages> join_nccl_group(std::shared_ptr<const CudaContext> context,
                                                const GroupName& name, int members, int self);

}  // namespace weft
