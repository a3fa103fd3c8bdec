// Failures of CUDA's runtime as exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <weft/error.hpp>

namespace weft {

/// Throws an Error with the call and CUDA's own message if it failed.
inline void check_cuda(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // or the next call would report it again
  throw Error(std::string(call) + ": " + cudaGetErrorString(status), Error::Cause::internal);
}

}  // namespace weft
