// Devices, contexts and errors. The number of devices is that of WEFT_PRETENDED_GPUS, 1 by default;
// each has the limits of an H100.
#include <cuda.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "contract.hpp"

namespace weft::test {
namespace {

constexpr int most_devices = 8;

struct Context {
  int device;
  bool is_retained = false;
};
std::array<Context, most_devices>& contexts() {
  static std::array<Context, most_devices> all = [] {
    std::array<Context, most_devices> numbered{};
    for (int device = 0; device < most_devices; ++device)
      numbered[static_cast<std::size_t>(device)].device = device;
    return numbered;
  }();
  return all;
}

int devices() {
  const char* const named = std::getenv("WEFT_PRETENDED_GPUS");
  return named != nullptr ? std::min(std::atoi(named), most_devices) : 1;
}

/// The contexts of a thread, the current one last. It needs no destructor: plans in static
/// variables end after the variables of the main thread.
struct Stack {
  static constexpr int most = 64;
  const Context* pushed[most];
  int depth;

  void push(const Context* context) {
    require(depth < most, "cuCtxPushCurrent", "contexts are popped again");
    pushed[depth++] = context;
  }
  const Context* pop() {
    require(depth > 0, "cuCtxPopCurrent", "a context is current");
    return pushed[--depth];
  }
  const Context* top() const;
};
thread_local constinit Stack stack{};
thread_local constinit const Context* device_of_thread = nullptr;  // below the stack

const Context* Stack::top() const { return depth == 0 ? device_of_thread : pushed[depth - 1]; }

thread_local cudaError_t last_error = cudaSuccess;

CUresult get_device(CUdevice* device, int number) {
  if (number < 0 || number >= devices()) return CUDA_ERROR_INVALID_DEVICE;
  *device = number;
  return CUDA_SUCCESS;
}
CUresult retain(CUcontext* context, CUdevice device) {
  Context& primary = contexts().at(static_cast<std::size_t>(device));
  primary.is_retained = true;
  *context = reinterpret_cast<CUcontext>(&primary);
  return CUDA_SUCCESS;
}
CUresult push(CUcontext context) {
  const auto* const pushed = reinterpret_cast<const Context*>(context);
  require(pushed != nullptr && pushed->is_retained, "cuCtxPushCurrent", "the context exists");
  stack.push(pushed);
  return CUDA_SUCCESS;
}
CUresult pop(CUcontext* context) {
  *context = reinterpret_cast<CUcontext>(const_cast<Context*>(stack.pop()));
  return CUDA_SUCCESS;
}
CUresult text_of(CUresult, const char** text) {
  *text = "an error of the pretended driver";
  return CUDA_SUCCESS;
}

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

void broken(const std::string& call, const std::string& rule) {
  std::fprintf(stderr, "pretended CUDA: %s: a rule is broken: %s\n", call.c_str(), rule.c_str());
  std::abort();
}

int current_device(const std::string& call) {
  require(stack.top() != nullptr, call, "a context is current");
  return stack.top()->device;
}

cudaError_t failed(cudaError_t status) { return last_error = status; }

const EmulatedLock& common_lock() {
  static const auto* const lock = new EmulatedLock(std::make_shared<std::recursive_mutex>());
  return *lock;  // memory is freed after static objects
}

}  // namespace weft::test

using namespace weft::test;

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** found, unsigned version,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  static const std::map<std::string, void*> functions{
      {"cuDeviceGet", address_of(get_device)},
      {"cuDevicePrimaryCtxRetain", address_of(retain)},
      {"cuCtxPushCurrent", address_of(push)},
      {"cuCtxPopCurrent", address_of(pop)},
      {"cuGetErrorString", address_of(text_of)}};
  require(version >= 12000, name, "the version has interfaces without suffixes");
  const auto function = functions.find(name);
  const bool has = function != functions.end();
  *found = has ? function->second : nullptr;
  *status = has ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

/// For runtimes whose threads have a device instead of a stack of contexts.
void cuPretendedUse(int device) {
  CUcontext context = nullptr;
  retain(&context, device);
  device_of_thread = reinterpret_cast<const Context*>(context);
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}
const char* cudaGetErrorString(cudaError_t status) {
  thread_local std::string text;
  text = "pretended error " + std::to_string(status);
  return text.c_str();
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = devices();
  return *count > 0 ? cudaSuccess : failed(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device) {
  *device = stack.top() != nullptr ? stack.top()->device : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  require(device >= 0 && device < devices(), "cudaDeviceGetAttribute", "the device exists");
  static const std::map<cudaDeviceAttr, int> values{
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 << 10},
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxRegistersPerBlock, 64 << 10},
      {cudaDevAttrComputeCapabilityMajor, 9},
      {cudaDevAttrComputeCapabilityMinor, 0}};
  const auto known = values.find(attribute);
  require(known != values.end(), "cudaDeviceGetAttribute",
          "the attribute " + std::to_string(attribute) + " is pretended");
  *value = known->second;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  require(device >= 0 && device < devices(), "cudaDeviceGetPCIBusId", "the device exists");
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02X:00.0", 0x1A + device);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  unsigned bus = 0;
  const bool is_address = std::sscanf(text, "0000:%x:00.0", &bus) == 1;
  *device = static_cast<int>(bus) - 0x1A;
  return is_address && *device >= 0 && *device < devices() ? cudaSuccess
                                                           : failed(cudaErrorInvalidDevice);
}

}  // extern "C"
