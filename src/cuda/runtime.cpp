// CUDA's runtime as the plugins call it.
#include <algorithm>
#include <cstring>
#include <new>

#include "cuda/cuda_call.hpp"
#include "cuda_kernel/compiled_kernels.hpp"
#include "cuda_kernel/mode_kernels.hpp"
#include "gpu/fft_library-inl.hpp"

namespace weft::runtime {
namespace {

cudaStream_t stream_of(StreamHandle stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t event_of(EventHandle event) { return static_cast<cudaEvent_t>(event); }

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

void check_memory(cudaError_t status, const char* call) {
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw std::bad_alloc();
  }
  check_cuda(status, call);
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

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

int device_count() {
  int devices = 0;
  check_cuda(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  return devices;
}

int current_device() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

int device_at(const char* bus) {
  int device = -1;
  if (cudaDeviceGetByPCIBusId(&device, bus) == cudaSuccess) return device;
  cudaGetLastError();
  return -1;
}

std::string bus_of(int device) {
  char text[32] = {};
  check_cuda(cudaDeviceGetPCIBusId(text, sizeof text, device), "cudaDeviceGetPCIBusId");
  return text;
}

TileLimits limits_of(int device) {
  TileLimits limits;
  limits.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  limits.threads = attribute(cudaDevAttrMaxThreadsPerBlock, device);
  // A register has 4 bytes; half of the registers are for the numbers.
  limits.register_bytes = 2 * attribute(cudaDevAttrMaxRegistersPerBlock, device);
  return limits;
}

bool can_overlap(int device) { return attribute(cudaDevAttrComputeCapabilityMajor, device) >= 9; }

std::string architecture_of(int device) {
  return "sm_" + std::to_string(10 * attribute(cudaDevAttrComputeCapabilityMajor, device) +
                                attribute(cudaDevAttrComputeCapabilityMinor, device));
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check_memory(cudaMalloc(&memory, bytes), "cudaMalloc");
  return memory;
}

void free(void* memory) noexcept { cudaFree(memory); }

void* allocate_on_host(std::size_t bytes) {
  void* memory = nullptr;
  check_memory(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "cudaHostAlloc");
  return memory;
}

void free_on_host(void* memory) noexcept { cudaFreeHost(memory); }

MemoryName name_of(void* memory) {
  cudaIpcMemHandle_t handle{};
  check_cuda(cudaIpcGetMemHandle(&handle, memory), "cudaIpcGetMemHandle");
  MemoryName name;
  static_assert(sizeof handle == sizeof name);
  std::memcpy(name.data(), &handle, sizeof handle);
  return name;
}

void* open_memory(const MemoryName& name) {
  cudaIpcMemHandle_t handle{};
  std::memcpy(&handle, name.data(), sizeof handle);
  void* memory = nullptr;
  check_cuda(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess),
             "cudaIpcOpenMemHandle");
  return memory;
}

void close_memory(void* memory) noexcept { cudaIpcCloseMemHandle(memory); }

bool holds(int device, const void* address) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, address), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeManaged ||
         (attributes.type == cudaMemoryTypeDevice && attributes.device == device);
}

void copy(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(stream)),
             "cudaMemcpyAsync");
}

void clear(void* memory, std::size_t bytes, StreamHandle stream) {
  check_cuda(cudaMemsetAsync(memory, 0, bytes, stream_of(stream)), "cudaMemsetAsync");
}

StreamHandle make_stream(bool waits_for_default) {
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(
                 &stream, waits_for_default ? cudaStreamDefault : cudaStreamNonBlocking),
             "cudaStreamCreateWithFlags");
  return stream;
}

void destroy_stream(StreamHandle stream) noexcept { cudaStreamDestroy(stream_of(stream)); }

void synchronize(StreamHandle stream) {
  check_cuda(cudaStreamSynchronize(stream_of(stream)), "cudaStreamSynchronize");
}

EventHandle make_event() {
  cudaEvent_t event = nullptr;
  check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
  return event;
}

void destroy_event(EventHandle event) noexcept { cudaEventDestroy(event_of(event)); }

void record(EventHandle event, StreamHandle stream) {
  check_cuda(cudaEventRecord(event_of(event), stream_of(stream)), "cudaEventRecord");
}

bool is_over(EventHandle event) {
  const cudaError_t status = cudaEventQuery(event_of(event));
  if (status == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check_cuda(status, "cudaEventQuery");
  return true;
}

void wait_for(StreamHandle stream, EventHandle event) {
  check_cuda(cudaStreamWaitEvent(stream_of(stream), event_of(event), 0), "cudaStreamWaitEvent");
}

const void* compiled_with_plugin(const TileWork& work) {
  const auto kernels =
      work.precision == Precision::double_ ? compiled_kernels_double() : compiled_kernels_single();
  const auto kernel = std::ranges::find(kernels, work, &CompiledKernel::work);
  if (kernel == kernels.end()) return nullptr;
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, kernel->function) == cudaSuccess) return kernel->function;
  cudaGetLastError();  // it was compiled for other architectures only
  return nullptr;
}

const void* mode_kernel_with_plugin(Precision precision) {
  return compiled_mode_kernel(precision == Precision::double_);
}

LoadedKernel load(std::shared_ptr<const GpuContext> context, const std::string& code,
                  const char* name) {
  cudaLibrary_t library = nullptr;
  check_cuda(cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
             "cudaLibraryLoadData");
  std::shared_ptr<void> loaded(library, [context = std::move(context)](void* unloaded) {
    free_on(*context, [&] { cudaLibraryUnload(static_cast<cudaLibrary_t>(unloaded)); });
  });
  cudaKernel_t kernel = nullptr;
  check_cuda(cudaLibraryGetKernel(&kernel, library, name), "cudaLibraryGetKernel");
  return {kernel, std::move(loaded)};
}

void allow_shared_bytes(const void* kernel, int bytes) {
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
             "cudaFuncSetAttribute");
}

void launch(const Launch& launch, void* argument, StreamHandle stream) {
  void* arguments[] = {argument};
  cudaLaunchAttribute overlaps{};
  overlaps.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlaps.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(launch.blocks);
  config.blockDim = dim3(launch.threads);
  config.dynamicSmemBytes = launch.shared_bytes;
  config.stream = stream_of(stream);
  config.attrs = &overlaps;
  config.numAttrs = launch.overlaps ? 1 : 0;
  check_cuda(cudaLaunchKernelExC(&config, launch.kernel, arguments), "cudaLaunchKernelExC");
}

std::unique_ptr<LineTransform> plan_lines(std::shared_ptr<const GpuContext> context,
                                          const GpuStream& stream, const LineBatch& batch) {
  return std::make_unique<LibraryLines<int>>(std::move(context), stream, batch);
}

}  // namespace weft::runtime
