// Launches the kernel of spectral operators.
#pragma once

#include <cuda_runtime_api.h>

#include <weft/transform.hpp>

#include "device_kernel/mode_kernel.hpp"

namespace weft {

/// Launches it on that stream of the thread's current device.
cudaError_t launch_modes(const ModeJob& job, Precision precision, cudaStream_t stream);

}  // namespace weft
