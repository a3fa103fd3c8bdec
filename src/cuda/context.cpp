// A thread's current device is a stack of contexts, which only the driver's interface can push and
// pop. When cudaSetDevice restores a device, it makes a context there, even if there was none. The
// driver's functions are looked up at run time, so that the plugin also loads without a driver.
#include <cuda.h>

#include "cuda/cuda_call.hpp"
#include "gpu/runtime.hpp"

namespace weft {
namespace {

struct Driver {
  decltype(&cuDeviceGet) get_device = nullptr;
  decltype(&cuDevicePrimaryCtxRetain) retain = nullptr;
  decltype(&cuCtxPushCurrent_v2) push = nullptr;
  decltype(&cuCtxPopCurrent_v2) pop = nullptr;
  decltype(&cuGetErrorString) text = nullptr;
};

template <class Function>
void look_up(const char* name, Function& function) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  constexpr unsigned version = 12000;  // the interfaces that these declarations have
  check_cuda(cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &status),
             name);
  if (status != cudaDriverEntryPointSuccess)
    throw Error(std::string(name) + ": the driver does not have it", Error::Cause::internal);
  function = reinterpret_cast<Function>(found);
}

Driver load() {
  Driver driver;
  look_up("cuDeviceGet", driver.get_device);
  look_up("cuDevicePrimaryCtxRetain", driver.retain);
  look_up("cuCtxPushCurrent", driver.push);
  look_up("cuCtxPopCurrent", driver.pop);
  look_up("cuGetErrorString", driver.text);
  return driver;
}

const Driver& driver() {
  static const Driver functions = load();
  return functions;
}

void check_driver(CUresult status, const char* call) {
  if (status == CUDA_SUCCESS) return;
  const char* text = nullptr;
  driver().text(status, &text);
  throw Error(std::string(call) + ": " + (text != nullptr ? text : "unknown error"),
              Error::Cause::internal);
}

}  // namespace

// Never released: the last release would destroy the context, and the next plan would wait some
// tenths of a second for a new one.
GpuContext::GpuContext(int number) : number_(number) {
  CUdevice device = 0;
  check_driver(driver().get_device(&device, number), "cuDeviceGet");
  CUcontext context = nullptr;
  check_driver(driver().retain(&context, device), "cuDevicePrimaryCtxRetain");
  handle_ = context;
}

GpuContext::Current::Current(const GpuContext& context) {
  check_driver(driver().push(static_cast<CUcontext>(context.handle_)), "cuCtxPushCurrent");
}

GpuContext::Current::~Current() {
  CUcontext popped = nullptr;
  driver().pop(&popped);
}

}  // namespace weft
