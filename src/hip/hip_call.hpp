// Failures of HIP's runtime as exceptions.
#pragma once

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>

#include <string>
#include <weft/error.hpp>

namespace weft {

/// Throws an Error with the call and HIP's own message if it failed.
inline void check_hip(hipError_t status, const char* call) {
  if (status == hipSuccess) return;
  static_cast<void>(hipGetLastError());  // or the next call would report it again
  throw Error(std::string(call) + ": " + hipGetErrorString(status), Error::Cause::internal);
}

}  // namespace weft
