// Ranks of a node open each other's memory by names that they exchange once, when a plan is made.
#include "device/backend_device.hpp"

#include <algorithm>

#include "device/device_plane_pass.hpp"
#include "device/kernel_pass.hpp"
#include "device/library_pass.hpp"
#include "mpi/shared_segment.hpp"

namespace weft {
namespace {

struct Offer {
  MemoryName name{};
  std::uint64_t bytes = 0;
};

class BackendNodeMemory : public NodeMemory {
 public:
  explicit BackendNodeMemory(const Communicator& node) : node_(node) {}
  /// The memory must not be freed before the others have closed it.
  ~BackendNodeMemory() override {
    const std::shared_ptr<std::byte> own = std::move(parts[node_.rank()]);
    parts.clear();
    if (!is_finalized()) MPI_Barrier(node_.get());
  }
  BackendNodeMemory(const BackendNodeMemory&) = delete;
  BackendNodeMemory& operator=(const BackendNodeMemory&) = delete;

  std::byte* of(int node_rank) const override { return parts[node_rank].get(); }
  void map(int, std::size_t, std::size_t) const override {}

  std::vector<std::shared_ptr<std::byte>> parts;

 private:
  Communicator node_;
};

class BackendMemory : public MemorySpace {
 public:
  explicit BackendMemory(DeviceBackend& backend) : backend_(backend) {}

  std::unique_ptr<NodeMemory> share(const Communicator& node, std::size_t bytes) override {
    auto shared = std::make_unique<BackendNodeMemory>(node);
    shared->parts.resize(static_cast<std::size_t>(node.size()));
    OfferedMemory own;
    const std::size_t some = std::max<std::size_t>(bytes, 1);
    // Not all machines let processes open each other's memory; a rank alone does not need it.
    together(node, [&] {
      if (node.size() > 1)
        own = backend_.offer(some);
      else
        own.memory = backend_.allocate(some);
    });
    shared->parts[node.rank()] = own.memory;
    const std::vector<Offer> offers = gathered(node, Offer{own.name, some});
    // All ranks keep the memory that they offer until this ends on all of them.
    together(node, [&] {
      for (int rank = 0; rank < node.size(); ++rank)
        if (rank != node.rank())
          shared->parts[rank] = backend_.open(offers[rank].name, offers[rank].bytes);
    });
    return shared;
  }

  void clear(const Memory& memory) override { backend_.clear(memory.data(), memory.size()); }

 private:
  template <class Work>
  static void together(const Communicator& node, const Work& work) {
    std::string failure;
    try {
      work();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    throw_together(node, failure);
  }

  Memory take(std::size_t bytes) override {
    return {backend_.allocate(std::max<std::size_t>(bytes, 1)), bytes};
  }

  DeviceBackend& backend_;
};

class BackendDevice : public Device {
 public:
  BackendDevice(std::shared_ptr<DeviceBackend> backend, Index batch_bytes)
      : backend_(std::move(backend)),
        memory_(*backend_),
        line_library_(*backend_, batch_bytes),
        planes_(*backend_) {}

  MemorySpace& memory() override { return memory_; }
  bool holds(const void* address) const override { return backend_->holds(address); }
  DlpackDevice dlpack_device() const override { return backend_->dlpack_device(); }
  std::string bus() const override { return backend_->bus(); }
  DeviceSupport mpi_support() const override { return device_support(backend_->name_in_mpi()); }
  Stream* stream() override { return &backend_->stream(); }
  void synchronize() override {
    backend_->stream().synchronize();
    for (const auto& stream : copy_streams_)
      if (stream) stream->synchronize();
  }
  Stream* copy_stream(CopyWay way) override {
    std::unique_ptr<Stream>& stream = copy_streams_[static_cast<std::size_t>(way)];
    if (!stream) stream = backend_->make_stream();
    return stream.get();
  }
  Memory allocate_on_host(std::size_t bytes) override {
    return {backend_->allocate_on_host(std::max<std::size_t>(bytes, 1)), bytes};
  }
  void use_stream(void* stream) override {
    if (!backend_->use_stream(stream)) Device::use_stream(stream);
  }
  void use_own_stream() override { backend_->use_own_stream(); }
  void wait_for_stream(void* stream) override { backend_->wait_for_stream(stream); }
  std::string message_library() override { return backend_->message_library(); }
  /// Nothing may fail on one rank while others wait for it in `join`.
  DeviceMessages* join_messages(const Communicator& communicator) override {
    OfferedGroup group;
    agree(communicator, [&] {
      backend_->message_library();
      if (communicator.rank() == 0) group = backend_->offer_group(communicator.size());
    });
    check_mpi(MPI_Bcast(group.name.data(), group.name.size(), MPI_BYTE, 0, communicator.get()),
              "MPI_Bcast");
    std::unique_ptr<DeviceMessages> messages;
    agree(communicator, [&] { messages = backend_->make_messages(group.name); });
    try {
      agree(communicator, [&] { messages->join(communicator.size(), communicator.rank()); });
    } catch (...) {
      // All ranks get here. A group that only some have joined cannot be ended in order.
      messages->give_up();
      throw;
    }
    messages_.push_back(std::move(messages));
    return messages_.back().get();
  }
  void give_up_messages() noexcept override {
    for (const auto& messages : messages_) messages->give_up();
  }
  KernelLauncher* launcher() override { return &backend_->launcher(); }
  std::unique_ptr<Pass> make_pass(PassParts parts, const Caches& caches) override {
    const auto make_line_pass = [this](PassParts lines) {
      return this->make_line_pass(std::move(lines));
    };
    if (parts.spec.computation.steps.size() < 2) return make_line_pass(std::move(parts));
    return make_device_plane_pass(std::move(parts), static_cast<Index>(caches.level2), planes_,
                                  make_line_pass);
  }

 private:
  std::unique_ptr<Pass> make_line_pass(PassParts parts) {
    KernelLauncher& launcher = backend_->launcher();
    if (needs_library(parts.spec, launcher.limits()))
      return make_library_pass(std::move(parts), launcher, line_library_);
    return make_kernel_pass(std::move(parts), launcher);
  }

  std::shared_ptr<DeviceBackend> backend_;
  BackendMemory memory_;
  LineLibrary line_library_;
  Scratch planes_;  // of passes of two axes
  std::array<std::unique_ptr<Stream>, copy_ways> copy_streams_;
  std::vector<std::unique_ptr<DeviceMessages>> messages_;
};

}  // namespace

std::shared_ptr<Device> make_backend_device(std::shared_ptr<DeviceBackend> backend,
                                            Index batch_bytes) {
  return std::make_shared<BackendDevice>(std::move(backend), batch_bytes);
}

}  // namespace weft
