// HIP's runtime as the plugins call it. HIP has most calls of CUDA's runtime under its own prefix;
// its kernels are loaded as modules.
#include <cstring>
#include <new>

#include "gpu/fft_library-inl.hpp"
#include "hip/hip_call.hpp"

namespace weft::runtime {
namespace {

hipStream_t stream_of(StreamHandle stream) { return static_cast<hipStream_t>(stream); }
hipEvent_t event_of(EventHandle event) { return static_cast<hipEvent_t>(event); }

int attribute(hipDeviceAttribute_t which, int device) {
  int value = 0;
  check_hip(hipDeviceGetAttribute(&value, which, device), "hipDeviceGetAttribute");
  return value;
}

void check_memory(hipError_t status, const char* call) {
  if (status == hipErrorOutOfMemory) {
    static_cast<void>(hipGetLastError());
    throw std::bad_alloc();
  }
  check_hip(status, call);
}

/// Calls that free: a failure has nobody to hear of it.
void ignore(hipError_t) noexcept {}

hipMemoryType type_of(const hipPointerAttribute_t& attributes) {
#if HIP_VERSION_MAJOR < 6
  return attributes.memoryType;
#else
  return attributes.type;
#endif
}

}  // namespace

std::string reason_for_no_device() {
  int count = 0;
  const hipError_t status = hipGetDeviceCount(&count);
  ignore(hipGetLastError());
  if (status == hipSuccess && count > 0) return {};
  if (status == hipSuccess || status == hipErrorNoDevice)
    return "HIP's runtime finds no AMD GPU that this process may use";
  return std::string("hipGetDeviceCount: ") + hipGetErrorString(status);
}

int device_count() {
  int devices = 0;
  check_hip(hipGetDeviceCount(&devices), "hipGetDeviceCount");
  return devices;
}

int current_device() {
  int device = 0;
  check_hip(hipGetDevice(&device), "hipGetDevice");
  return device;
}

int device_at(const char* bus) {
  int device = -1;
  if (hipDeviceGetByPCIBusId(&device, bus) == hipSuccess) return device;
  ignore(hipGetLastError());
  return -1;
}

std::string bus_of(int device) {
  char text[32] = {};
  check_hip(hipDeviceGetPCIBusId(text, sizeof text, device), "hipDeviceGetPCIBusId");
  return text;
}

TileLimits limits_of(int device) {
  TileLimits limits;
  limits.shared_bytes = attribute(hipDeviceAttributeMaxSharedMemoryPerBlock, device);
  limits.threads = attribute(hipDeviceAttributeMaxThreadsPerBlock, device);
  // A register has 4 bytes; half of the registers are for the numbers.
  limits.register_bytes = 2 * attribute(hipDeviceAttributeMaxRegistersPerBlock, device);
  return limits;
}

bool can_overlap(int) { return false; }

/// With its features, as HIPRTC takes it: "gfx90a:sramecc+:xnack-".
std::string architecture_of(int device) {
  hipDeviceProp_t properties;
  check_hip(hipGetDeviceProperties(&properties, device), "hipGetDeviceProperties");
  return properties.gcnArchName;
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check_memory(hipMalloc(&memory, bytes), "hipMalloc");
  return memory;
}

void free(void* memory) noexcept { ignore(hipFree(memory)); }

void* allocate_on_host(std::size_t bytes) {
  void* memory = nullptr;
  check_memory(hipHostMalloc(&memory, bytes, hipHostMallocDefault), "hipHostMalloc");
  return memory;
}

void free_on_host(void* memory) noexcept { ignore(hipHostFree(memory)); }

MemoryName name_of(void* memory) {
  hipIpcMemHandle_t handle{};
  check_hip(hipIpcGetMemHandle(&handle, memory), "hipIpcGetMemHandle");
  MemoryName name;
  static_assert(sizeof handle == sizeof name);
  std::memcpy(name.data(), &handle, sizeof handle);
  return name;
}

void* open_memory(const MemoryName& name) {
  hipIpcMemHandle_t handle{};
  std::memcpy(&handle, name.data(), sizeof handle);
  void* memory = nullptr;
  check_hip(hipIpcOpenMemHandle(&memory, handle, hipIpcMemLazyEnablePeerAccess),
            "hipIpcOpenMemHandle");
  return memory;
}

void close_memory(void* memory) noexcept { ignore(hipIpcCloseMemHandle(memory)); }

/// HIP refuses to look up memory that it does not know, as the C library's.
bool holds(int device, const void* address) {
  hipPointerAttribute_t attributes{};
  if (hipPointerGetAttributes(&attributes, address) != hipSuccess) {
    ignore(hipGetLastError());
    return false;
  }
  return attributes.isManaged != 0 ||
         (type_of(attributes) == hipMemoryTypeDevice && attributes.device == device);
}

void copy(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  check_hip(hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, stream_of(stream)), "hipMemcpyAsync");
}

void clear(void* memory, std::size_t bytes, StreamHandle stream) {
  check_hip(hipMemsetAsync(memory, 0, bytes, stream_of(stream)), "hipMemsetAsync");
}

StreamHandle make_stream(bool waits_for_default) {
  hipStream_t stream = nullptr;
  check_hip(hipStreamCreateWithFlags(&stream,
                                     waits_for_default ? hipStreamDefault : hipStreamNonBlocking),
            "hipStreamCreateWithFlags");
  return stream;
}

void destroy_stream(StreamHandle stream) noexcept { ignore(hipStreamDestroy(stream_of(stream))); }

void synchronize(StreamHandle stream) {
  check_hip(hipStreamSynchronize(stream_of(stream)), "hipStreamSynchronize");
}

EventHandle make_event() {
  hipEvent_t event = nullptr;
  check_hip(hipEventCreateWithFlags(&event, hipEventDisableTiming), "hipEventCreateWithFlags");
  return event;
}

void destroy_event(EventHandle event) noexcept { ignore(hipEventDestroy(event_of(event))); }

void record(EventHandle event, StreamHandle stream) {
  check_hip(hipEventRecord(event_of(event), stream_of(stream)), "hipEventRecord");
}

bool is_over(EventHandle event) {
  const hipError_t status = hipEventQuery(event_of(event));
  if (status == hipErrorNotReady) {
    ignore(hipGetLastError());
    return false;
  }
  check_hip(status, "hipEventQuery");
  return true;
}

void wait_for(StreamHandle stream, EventHandle event) {
  check_hip(hipStreamWaitEvent(stream_of(stream), event_of(event), 0), "hipStreamWaitEvent");
}

// All kernels are compiled when plans are made: HIPRTC comes with every runtime.
const void* compiled_with_plugin(const TileWork&) { return nullptr; }
const void* mode_kernel_with_plugin(Precision) { return nullptr; }

LoadedKernel load(std::shared_ptr<const GpuContext> context, const std::string& code,
                  const char* name) {
  hipModule_t module = nullptr;
  check_hip(hipModuleLoadData(&module, code.data()), "hipModuleLoadData");
  std::shared_ptr<void> loaded(module, [context = std::move(context)](void* unloaded) {
    free_on(*context, [&] { ignore(hipModuleUnload(static_cast<hipModule_t>(unloaded))); });
  });
  hipFunction_t kernel = nullptr;
  check_hip(hipModuleGetFunction(&kernel, module, name), "hipModuleGetFunction");
  return {kernel, std::move(loaded)};
}

/// Kernels may use all of a compute unit's memory.
void allow_shared_bytes(const void*, int) {}

void launch(const Launch& launch, void* argument, StreamHandle stream) {
  void* arguments[] = {argument};
  const auto kernel = static_cast<hipFunction_t>(const_cast<void*>(launch.kernel));
  check_hip(hipModuleLaunchKernel(kernel, launch.blocks, 1, 1, launch.threads, 1, 1,
                                  launch.shared_bytes, stream_of(stream), arguments, nullptr),
            "hipModuleLaunchKernel");
}

/// hipfftHandle is a pointer.
std::unique_ptr<LineTransform> plan_lines(std::shared_ptr<const GpuContext> context,
                                          const GpuStream& stream, const LineBatch& batch) {
  return std::make_unique<LibraryLines<void*>>(std::move(context), stream, batch);
}

}  // namespace weft::runtime
