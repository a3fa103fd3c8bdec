// Failures of CUDA as exceptions, and the device of a thread's CUDA calls.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>
#include <memory>
#include <string>
#include <weft/error.hpp>

namespace weft {

/// Throws an Error with the call and CUDA's own message if it failed.
void check_cuda(cudaError_t status, const char* call);

/// Says why there is no device to use; empty if there is one.
std::string reason_for_no_device();

/// A device's own context; the process keeps it after the first plan that needs it.
class CudaContext {
 public:
  /// Throws if the device cannot be used.
  explicit CudaContext(int number);
  CudaContext(const CudaContext&) = delete;
  CudaContext& operator=(const CudaContext&) = delete;

  int number() const { return number_; }
  /// Sends the calling thread's CUDA calls to this device. The destructor restores the thread's
  /// earlier device.
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

/// Frees memory or an object of that device. At the end of the process CUDA may have ended before,
/// and nothing is left to free.
template <class Free>
void free_on(const CudaContext& context, const Free& free) noexcept {
  try {
    const CudaContext::Current current(context);
    free();
  } catch (const std::exception&) {
  }
}

}  // namespace weft
