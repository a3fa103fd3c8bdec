// The plugin that libweft opens: a GPU as the backend of a device.
#include <cctype>
#include <weft/version.hpp>

#include "gpu/communicator.hpp"
#include "gpu/gpu_launcher.hpp"
#include "gpu/group_messages.hpp"

namespace weft {
namespace {

class GpuBackend : public DeviceBackend {
 public:
  GpuBackend(int number, std::shared_ptr<KernelStore> store)
      : context_(std::make_shared<const GpuContext>(number)),
        stream_(context_),
        launcher_(context_, stream_, std::move(store)) {}

  const char* name_in_mpi() const override { return runtime::device_kind; }
  DlpackDevice dlpack_device() const override { return {runtime::dlpack_kind, context_->number()}; }
  std::string bus() const override {
    std::string address = runtime::bus_of(context_->number());
    for (char& letter : address)
      letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return address;
  }
  Stream& stream() override { return stream_; }
  bool use_stream(void* stream) override {
    stream_.use(stream);
    return true;
  }
  void use_own_stream() override { stream_.use_own(); }
  void wait_for_stream(void* stream) override { stream_.wait_for_caller(stream); }
  std::unique_ptr<Stream> make_stream() override {
    return std::make_unique<GpuStream>(context_, GpuStream::Waits::for_nothing);
  }
  KernelLauncher& launcher() override { return launcher_; }

  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    return allocate_on(context_, bytes);
  }

  /// Pinned: copies of pageable memory block the host, and take longer.
  std::shared_ptr<std::byte> allocate_on_host(std::size_t bytes) override {
    const GpuContext::Current current(*context_);
    return {static_cast<std::byte*>(runtime::allocate_on_host(bytes)),
            [context = context_](std::byte* freed) {
              free_on(*context, [&] { runtime::free_on_host(freed); });
            }};
  }

  /// Other processes map whole pages of 2 MiB, so no other data may lie in these pages.
  OfferedMemory offer(std::size_t bytes) override {
    constexpr std::size_t page = std::size_t{2} << 20;
    OfferedMemory offered;
    offered.memory = allocate((bytes + page - 1) / page * page);
    const GpuContext::Current current(*context_);
    offered.name = runtime::name_of(offered.memory.get());
    return offered;
  }

  std::shared_ptr<std::byte> open(const MemoryName& name, std::size_t) override {
    const GpuContext::Current current(*context_);
    return {static_cast<std::byte*>(runtime::open_memory(name)),
            [context = context_](std::byte* closed) {
              free_on(*context, [&] { runtime::close_memory(closed); });
            }};
  }

  std::unique_ptr<LineTransform> plan_lines(const LineBatch& batch) override {
    return runtime::plan_lines(context_, stream_, batch);
  }
  std::string message_library() override { return message_library_version(); }
  OfferedGroup offer_group(int) override { return {new_group_name(), nullptr}; }
  std::unique_ptr<DeviceMessages> make_messages(const GroupName& name) override {
    return make_group_messages(context_, name);
  }

  void clear(std::byte* memory, std::size_t bytes) override {
    {
      const GpuContext::Current current(*context_);
      runtime::clear(memory, bytes, stream_.get());
    }
    stream_.synchronize();
  }

  /// Memory of other GPUs does not count: it is copied, like the host's.
  bool holds(const void* address) const override {
    if (address == nullptr) return false;  // runtimes refuse to look up null
    const GpuContext::Current current(*context_);
    return runtime::holds(context_->number(), address);
  }

 private:
  std::shared_ptr<const GpuContext> context_;
  GpuStream stream_;
  GpuLauncher launcher_;
};

int count(std::string& reason) {
  reason = runtime::reason_for_no_device();
  return reason.empty() ? runtime::device_count() : 0;
}

std::shared_ptr<DeviceBackend> open(int number, std::shared_ptr<KernelStore> store) {
  return std::make_shared<GpuBackend>(number, std::move(store));
}

constexpr DevicePlugin plugin{header_version, count, runtime::current_device, runtime::device_at,
                              open};

}  // namespace
}  // namespace weft

extern "C" __attribute__((visibility("default"))) const weft::DevicePlugin* weft_device_plugin_5() {
  return &weft::plugin;
}
