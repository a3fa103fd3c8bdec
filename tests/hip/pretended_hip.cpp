// Stands in for HIP's runtime and HIPRTC, on the pretended CUDA (tests/cuda/pretended_runtime),
// which checks the rules of each call: HIP's calls have the same rules, and errors the same
// numbers. The device is an MI250X as far as limits go.
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

// The calls of the pretended CUDA, whose own headers would define the types of HIP's again.
extern "C" {
void cuPretendedUse(int device);
int cudaGetLastError();
const char* cudaGetErrorString(int);
int cudaGetDeviceCount(int*);
int cudaDeviceGetPCIBusId(char*, int, int);
int cudaDeviceGetByPCIBusId(int*, const char*);
int cudaMalloc(void**, std::size_t);
int cudaFree(void*);
int cudaHostAlloc(void**, std::size_t, unsigned);
int cudaFreeHost(void*);
int cudaIpcGetMemHandle(hipIpcMemHandle_t*, void*);
int cudaIpcOpenMemHandle(void**, hipIpcMemHandle_t, unsigned);
int cudaIpcCloseMemHandle(void*);
int cudaPretendedHolder(const void* at, int* device);
int cudaMemcpyAsync(void*, const void*, std::size_t, int, void*);
int cudaMemsetAsync(void*, int, std::size_t, void*);
int cudaStreamCreateWithFlags(hipStream_t*, unsigned);
int cudaStreamDestroy(void*);
int cudaStreamSynchronize(void*);
int cudaStreamWaitEvent(void*, void*, unsigned);
int cudaEventCreateWithFlags(hipEvent_t*, unsigned);
int cudaEventDestroy(void*);
int cudaEventRecord(void*, void*);
int cudaEventQuery(void*);
int cudaLibraryLoadData(void**, const void*, void*, void**, unsigned, void*, void**, unsigned);
int cudaLibraryGetKernel(void**, void*, const char*);
int cudaLibraryUnload(void*);
int cudaFuncSetAttribute(const void*, int, int);
int cudaPretendedLaunch(const void* kernel, unsigned blocks, unsigned threads, void** arguments,
                        std::size_t shared_bytes, void* stream);
}

namespace {

constexpr int copies_by_address = 4;      // cudaMemcpyDefault
constexpr int largest_shared_memory = 8;  // cudaFuncAttributeMaxDynamicSharedMemorySize
constexpr int shared_bytes = 64 << 10;

/// A thread has a device, which is 0 until it chooses another one.
thread_local int device_of_thread = 0;

/// A call of CUDA's on the thread's device.
template <class Call>
hipError_t on_device(const Call& call) {
  cuPretendedUse(device_of_thread);
  return static_cast<hipError_t>(call());
}

void require(bool holds, const char* call, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "pretended HIP: %s: a rule is broken: %s\n", call, rule);
  std::abort();
}

}  // namespace

struct _hiprtcProgram {
  std::string text;
};

extern "C" {

hipError_t hipGetLastError() { return static_cast<hipError_t>(cudaGetLastError()); }
const char* hipGetErrorString(hipError_t status) { return cudaGetErrorString(status); }
hipError_t hipGetDeviceCount(int* count) {
  return static_cast<hipError_t>(cudaGetDeviceCount(count));
}
hipError_t hipGetDevice(int* device) {
  *device = device_of_thread;
  cuPretendedUse(device_of_thread);  // also for hipFFT and RCCL
  return hipSuccess;
}
hipError_t hipSetDevice(int device) {
  int count = 0;
  cudaGetDeviceCount(&count);
  require(device >= 0 && device < count, "hipSetDevice", "the device exists");
  device_of_thread = device;
  cuPretendedUse(device);
  return hipSuccess;
}
hipError_t hipDeviceGetPCIBusId(char* text, int length, int device) {
  return static_cast<hipError_t>(cudaDeviceGetPCIBusId(text, length, device));
}
hipError_t hipDeviceGetByPCIBusId(int* device, const char* text) {
  return static_cast<hipError_t>(cudaDeviceGetByPCIBusId(device, text));
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int) {
  switch (attribute) {
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
      *value = shared_bytes;
      return hipSuccess;
    case hipDeviceAttributeMaxThreadsPerBlock:
      *value = 1024;
      return hipSuccess;
    case hipDeviceAttributeMaxRegistersPerBlock:
      *value = 64 << 10;
      return hipSuccess;
    default:
      require(false, "hipDeviceGetAttribute", "the attribute is pretended");
  }
  return hipErrorInvalidValue;
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int) {
  *properties = {};
  std::strcpy(properties->gcnArchName, "gfx90a:sramecc+:xnack-");
  return hipSuccess;
}

hipError_t hipMalloc(void** memory, std::size_t bytes) {
  return on_device([&] { return cudaMalloc(memory, bytes); });
}
hipError_t hipFree(void* memory) {
  return on_device([&] { return cudaFree(memory); });
}
hipError_t hipHostMalloc(void** memory, std::size_t bytes, unsigned flags) {
  return on_device([&] { return cudaHostAlloc(memory, bytes, flags); });
}
hipError_t hipHostFree(void* memory) {
  return on_device([&] { return cudaFreeHost(memory); });
}
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* memory) {
  return on_device([&] { return cudaIpcGetMemHandle(handle, memory); });
}
hipError_t hipIpcOpenMemHandle(void** memory, hipIpcMemHandle_t handle, unsigned flags) {
  require(flags == hipIpcMemLazyEnablePeerAccess, "hipIpcOpenMemHandle", "flags are valid");
  constexpr unsigned with_peer_access = 1;  // cudaIpcMemLazyEnablePeerAccess
  return on_device([&] { return cudaIpcOpenMemHandle(memory, handle, with_peer_access); });
}
hipError_t hipIpcCloseMemHandle(void* memory) {
  return on_device([&] { return cudaIpcCloseMemHandle(memory); });
}
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* at) {
  *attributes = {};
  const int kind = cudaPretendedHolder(at, &attributes->device);
  if (kind == 0) return hipErrorInvalidValue;
#if HIP_VERSION_MAJOR < 6
  attributes->memoryType = kind == 1 ? hipMemoryTypeHost : hipMemoryTypeDevice;
#else
  attributes->type = kind == 1 ? hipMemoryTypeHost : hipMemoryTypeDevice;
#endif
  return hipSuccess;
}
hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  require(kind == hipMemcpyDefault, "hipMemcpyAsync", "addresses say where memory is");
  return on_device([&] { return cudaMemcpyAsync(to, from, bytes, copies_by_address, stream); });
}
hipError_t hipMemsetAsync(void* memory, int value, std::size_t bytes, hipStream_t stream) {
  return on_device([&] { return cudaMemsetAsync(memory, value, bytes, stream); });
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return on_device([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  return on_device([&] { return cudaStreamDestroy(stream); });
}
hipError_t hipStreamSynchronize(hipStream_t stream) {
  return on_device([&] { return cudaStreamSynchronize(stream); });
}
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return on_device([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return on_device([&] { return cudaEventCreateWithFlags(event, flags); });
}
hipError_t hipEventDestroy(hipEvent_t event) {
  return on_device([&] { return cudaEventDestroy(event); });
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return on_device([&] { return cudaEventRecord(event, stream); });
}
hipError_t hipEventQuery(hipEvent_t event) {
  return on_device([&] { return cudaEventQuery(event); });
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* code) {
  return on_device([&] {
    return cudaLibraryLoadData(reinterpret_cast<void**>(module), code, nullptr, nullptr, 0, nullptr,
                               nullptr, 0);
  });
}
hipError_t hipModuleGetFunction(hipFunction_t* kernel, hipModule_t module, const char* name) {
  return on_device([&] {
    const int status = cudaLibraryGetKernel(reinterpret_cast<void**>(kernel), module, name);
    return status != 0 ? status
                       : cudaFuncSetAttribute(*kernel, largest_shared_memory, shared_bytes);
  });
}
hipError_t hipModuleUnload(hipModule_t module) {
  return on_device([&] { return cudaLibraryUnload(module); });
}
hipError_t hipModuleLaunchKernel(hipFunction_t kernel, unsigned blocks, unsigned blocks_y,
                                 unsigned blocks_z, unsigned threads, unsigned threads_y,
                                 unsigned threads_z, unsigned bytes, hipStream_t stream,
                                 void** arguments, void** more) {
  require(blocks_y == 1 && blocks_z == 1 && threads_y == 1 && threads_z == 1 && more == nullptr,
          "hipModuleLaunchKernel", "launches have one dimension");
  require(std::uint64_t{blocks} * threads < std::uint64_t{1} << 32, "hipModuleLaunchKernel",
          "a launch has fewer than 2^32 threads");
  return on_device(
      [&] { return cudaPretendedLaunch(kernel, blocks, threads, arguments, bytes, stream); });
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
  *major = *minor = 0;  // the version is part of a kept kernel's key, and no real one begins with 0
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* text, const char*, int,
                                 const char**, const char**) {
  *program = new _hiprtcProgram{text};
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcCompileProgram(hiprtcProgram, int, const char**) { return HIPRTC_SUCCESS; }
hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
  delete *program;
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram, std::size_t* bytes) {
  *bytes = 0;
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetProgramLog(hiprtcProgram, char*) { return HIPRTC_SUCCESS; }
hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, std::size_t* bytes) {
  *bytes = program->text.size() + 1;
  return HIPRTC_SUCCESS;
}
hiprtcResult hiprtcGetCode(hiprtcProgram program, char* bytes) {
  std::memcpy(bytes, program->text.c_str(), program->text.size() + 1);
  return HIPRTC_SUCCESS;
}
const char* hiprtcGetErrorString(hiprtcResult) { return "an error of the pretended compiler"; }

}  // extern "C"
