// Messages by NCCL, on a stream of the plan.
#pragma once

#include <memory>

#include "backend/device_messages.hpp"
#include "cuda/cuda_call.hpp"

namespace weft {

/// See DeviceBackend::make_messages.
std::unique_ptr<DeviceMessages> make_nccl_messages(std::shared_ptr<const CudaContext> context,
                                                   const GroupName& name);

}  // namespace weft
