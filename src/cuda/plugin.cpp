// The plugin that libweft opens: a GPU as the backend of a device.
#include <array>
#include <cctype>
#include <cstring>
#include <weft/version.hpp>

#include "cuda/cuda_launcher.hpp"
#include "cuda/cufft.hpp"
#include "cuda/nccl.hpp"
#include "cuda/nccl_messages.hpp"

namespace weft {
namespace {

/// Transforms of batches of lines, on the stream of passes.
class CufftLines : public LineTransform {
 public:
  CufftLines(std::shared_ptr<const CudaContext> context, const CudaStream& stream,
             const LineBatch& batch)
      : context_(std::move(context)), stream_(stream) {
    const CudaContext::Current current(*context_);
    plan_ = std::make_unique<CufftPlan>(batch);
  }
  ~CufftLines() override {
    free_on(*context_, [&] { plan_.reset(); });
  }
  CufftLines(const CufftLines&) = delete;
  CufftLines& operator=(const CufftLines&) = delete;

  void run(const void* input, void* output) const override {
    const CudaContext::Current current(*context_);
    plan_->run(input, output, stream_.get());
  }

 private:
  std::shared_ptr<const CudaContext> context_;
  const CudaStream& stream_;
  std::unique_ptr<CufftPlan> plan_;
};

class CudaBackend : public DeviceBackend {
 public:
  CudaBackend(int number, std::shared_ptr<KernelStore> store)
      : context_(std::make_shared<const CudaContext>(number)),
        stream_(context_),
        launcher_(context_, stream_, std::move(store)) {}

  const char* name_in_mpi() const override { return "cuda"; }
  DlpackDevice dlpack_device() const override {
    constexpr int cuda = 2;  // kDLCUDA
    return {cuda, context_->number()};
  }
  std::string bus() const override {
    std::array<char, 32> text{};
    check_cuda(cudaDeviceGetPCIBusId(text.data(), text.size(), context_->number()),
               "cudaDeviceGetPCIBusId");
    std::string address(text.data());
    for (char& letter : address)
      letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return address;
  }
  Stream& stream() override { return stream_; }
  bool use_stream(void* stream) override {
    stream_.use(static_cast<cudaStream_t>(stream));
    return true;
  }
  void use_own_stream() override { stream_.use_own(); }
  void wait_for_stream(void* stream) override {
    stream_.wait_for(static_cast<cudaStream_t>(stream));
  }
  std::unique_ptr<Stream> make_stream() override {
    return std::make_unique<CudaStream>(context_, cudaStreamNonBlocking);
  }
  KernelLauncher& launcher() override { return launcher_; }

  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    return allocate_cuda(context_, bytes);
  }

  /// Pinned: copies of pageable memory block the host, and take longer.
  std::shared_ptr<std::byte> allocate_on_host(std::size_t bytes) override {
    const CudaContext::Current current(*context_);
    void* memory = nullptr;
    const cudaError_t status = cudaHostAlloc(&memory, bytes, cudaHostAllocDefault);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw std::bad_alloc();
    }
    check_cuda(status, "cudaHostAlloc");
    return {static_cast<std::byte*>(memory), [context = context_](std::byte* freed) {
              free_on(*context, [&] { cudaFreeHost(freed); });
            }};
  }

  /// Other processes map whole pages of 2 MiB, so no other data may lie in these pages.
  OfferedMemory offer(std::size_t bytes) override {
    constexpr std::size_t page = std::size_t{2} << 20;
    OfferedMemory offered;
    offered.memory = allocate((bytes + page - 1) / page * page);
    const CudaContext::Current current(*context_);
    cudaIpcMemHandle_t handle{};
    check_cuda(cudaIpcGetMemHandle(&handle, offered.memory.get()), "cudaIpcGetMemHandle");
    static_assert(sizeof handle == sizeof offered.name);
    std::memcpy(offered.name.data(), &handle, sizeof handle);
    return offered;
  }

  std::shared_ptr<std::byte> open(const MemoryName& name, std::size_t) override {
    const CudaContext::Current current(*context_);
    cudaIpcMemHandle_t handle{};
    std::memcpy(&handle, name.data(), sizeof handle);
    void* memory = nullptr;
    check_cuda(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess),
               "cudaIpcOpenMemHandle");
    return {static_cast<std::byte*>(memory), [context = context_](std::byte* closed) {
              free_on(*context, [&] { cudaIpcCloseMemHandle(closed); });
            }};
  }

  std::unique_ptr<LineTransform> plan_lines(const LineBatch& batch) override {
    return std::make_unique<CufftLines>(context_, stream_, batch);
  }
  std::string message_library() override { return nccl_version(); }
  OfferedGroup offer_group(int) override { return {new_nccl_name(), nullptr}; }
  std::unique_ptr<DeviceMessages> make_messages(const GroupName& name) override {
    return make_nccl_messages(context_, name);
  }

  void clear(std::byte* memory, std::size_t bytes) override {
    {
      const CudaContext::Current current(*context_);
      check_cuda(cudaMemsetAsync(memory, 0, bytes, stream_.get()), "cudaMemsetAsync");
    }
    stream_.synchronize();
  }

  /// Memory of other GPUs does not count: it is copied, like the host's.
  bool holds(const void* address) const override {
    if (address == nullptr) return false;  // CUDA refuses to look up null
    const CudaContext::Current current(*context_);
    cudaPointerAttributes attributes{};
    check_cuda(cudaPointerGetAttributes(&attributes, address), "cudaPointerGetAttributes");
    return attributes.type == cudaMemoryTypeManaged ||
           (attributes.type == cudaMemoryTypeDevice && attributes.device == context_->number());
  }

 private:
  std::shared_ptr<const CudaContext> context_;
  CudaStream stream_;
  CudaLauncher launcher_;
};

int count(std::string& reason) {
  reason = reason_for_no_device();
  if (!reason.empty()) return 0;
  int devices = 0;
  check_cuda(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  return devices;
}

int current() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

int at(const char* bus) {
  int device = -1;
  if (cudaDeviceGetByPCIBusId(&device, bus) == cudaSuccess) return device;
  cudaGetLastError();
  return -1;
}

std::shared_ptr<DeviceBackend> open(int number, std::shared_ptr<KernelStore> store) {
  return std::make_shared<CudaBackend>(number, std::move(store));
}

constexpr DevicePlugin plugin{header_version, count, current, at, open};

}  // namespace
}  // namespace weft

extern "C" __attribute__((visibility("default"))) const weft::DevicePlugin* weft_device_plugin_5() {
  return &weft::plugin;
}
