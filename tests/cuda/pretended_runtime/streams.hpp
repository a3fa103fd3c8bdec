// Streams of the pretended CUDA: they do their work in order, as late as possible.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>

namespace weft::test {

/// Appends work to a stream of the current device.
void append(const std::string& call, cudaStream_t stream, std::function<void()> work);

/// Does the work of all streams of a device.
void synchronize_device(int device);

}  // namespace weft::test
