// The state that all calls of the pretended CUDA share, and the end of programs that break a rule
// of CUDA's manual, or one of Weft's own where CUDA would go on silently. A GPU often shows broken
// rules late, in another call, or not at all.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "device/emulated_stream.hpp"

namespace weft::test {

/// Ends the process with the call and the rule that it broke.
[[noreturn]] void broken(const std::string& call, const std::string& rule);
inline void require(bool holds, const std::string& call, const std::string& rule) {
  if (!holds) broken(call, rule);
}

/// The device of the thread's current context. A call without one breaks a rule of Weft's: the
/// runtime would make a context on device 0, which takes memory of a device that the caller may
/// not use.
int current_device(const std::string& call);

/// Remembers an error for cudaGetLastError.
cudaError_t failed(cudaError_t status);

/// One lock for all state and all streams.
const EmulatedLock& common_lock();

}  // namespace weft::test
