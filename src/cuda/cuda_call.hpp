// Failures of CUDA as exceptions, and the device that calls of it are for.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>
#include <memory>
#include <string>
#include <weft/error.hpp>

namespace weft {

/// Throws an Error with the call and CUDA's own words if it failed.
void check_cuda(cudaError_t status, const char* call);

/// Why there is no device to use; empty where there is one.
std::string reason_for_no_device();

/// A device's own context, which the process keeps once a plan has needed it.
class CudaContext {
 public:
  /// Throws if the device cannot be used.
  explicit CudaContext(int number);
  CudaContext(const CudaContext&) = delete;
  CudaContext& operator=(const CudaContext&) = delete;

  int number() const { return number_; }
  /// Makes the calling thread's CUDA calls go to this device, until the object is destroyed: then
  /// the thread's current device is what it was.
  class Current {
   public:
    explicit Current(const CudaContext& context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
  };

 private:
  int number_;
  void* handle_ = nullptr;  // a CUcontext
};

/// Frees something of that device, also when the process ends and CUDA has ended before: then there
/// is nothing to free any more.
template <class Free>
void free_on(const CudaContext& context, const Free& free) noexcept {
  try {
    const CudaContext::Current current(context);
    free();
  } catch (const std::exception&) {
  }
}

}  // namespace weft
