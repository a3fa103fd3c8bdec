// A thread's current device is a stack of contexts, which only the driver's interface can push and
// pop. When cudaSetDevice restores a device, it makes a context there, even if there was none. The
// driver's functions are looked up at run time, so that the plugin also loads without a driver.
#include "cuda/cuda_call.hpp"

#include <cuda.h>

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

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

void check_cuda(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // or the next call would report it again
  throw Error(std::string(call) + ": " + cudaGetErrorString(status), Error::Cause::internal);
}

std::string reason_for_no_device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status == cudaSuccess && count > 0) return {};
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0)
    return "this machine has no driver of CUDA: libcuda.so.1 is not found";
  if (status == cudaErrorInsufficientDriver)
    return "the driver of this machine is for CUDA " + version_text(version) +
           ", and this build of Weft needs one for " + version_text(CUDART_VERSION);
  if (status == cudaSuccess || status == cudaErrorNoDevice)
    return "there is a driver of CUDA, but no GPU that this process may use";
  return std::string("cudaGetDeviceCount: ") + cudaGetErrorString(status);
}

// Never released: the last release would destroy the context, and the next plan would wait some
// tenths of a second for a new one.
CudaContext::CudaContext(int number) : number_(number) {
  CUdevice device = 0;
  check_driver(driver().get_device(&device, number), "cuDeviceGet");
  CUcontext context = nullptr;
  check_driver(driver().retain(&context, device), "cuDevicePrimaryCtxRetain");
  handle_ = context;
}

CudaContext::Current::Current(const CudaContext& context) {
  check_driver(driver().push(static_cast<CUcontext>(context.handle_)), "cuCtxPushCurrent");
}

CudaContext::Current::~Current() {
  CUcontext popped = nullptr;
  driver().pop(&popped);
}

}  // namespace weft
