// Launches the kernel of spectral operators.
#pragma once

#include <cuda_runtime_api.h>

#include <weft/transform.hpp>

#include "device_kernel/mode_kernel.hpp"

namespace weft {

/// On that stream, on the thread's current device.
cudaError_t launch_modes(const ModeJob& job, Precision precision, cudaStream_t stream);

}  // namespace weft
