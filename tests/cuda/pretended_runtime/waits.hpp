// The one call of the pretended runtime that CUDA does not have.
#pragma once

#include <cuda_runtime_api.h>

/// Makes later work of the stream wait until is_over(data) returns true; it is asked again and
/// again.
extern "C" cudaError_t cudaPretendedWait(cudaStream_t stream, bool (*is_over)(void*), void* data);
