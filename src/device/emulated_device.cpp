// Work is done by whoever asks for it, under a lock, so that a thread may ask as well.
#include "device/emulated_device.hpp"

#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>

#include "device/backend_device.hpp"
#include "device/emulated_memory.hpp"
#include "device/host_launcher.hpp"

namespace weft {
namespace {

std::atomic<bool> waits_are_forgotten = false;

class EmulatedStream : public Stream {
 public:
  explicit EmulatedStream(EmulatedOrder order) : order_(order) {}

  void append(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
    if (order_ == EmulatedOrder::eager) run_to(end());
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;  // there may be no memory at all
    append([=] { std::memcpy(emulated_bytes(to), emulated_bytes(from), bytes); });
  }

  Produced mark() override {
    const std::lock_guard lock(mutex_);
    if (waits_are_forgotten) return [] { return true; };
    return [this, number = end()] {
      const std::lock_guard asking(mutex_);
      if (done_ >= number) return true;
      run_to(done_ + 1);  // so that who asks on and on is answered in the end
      return done_ >= number;
    };
  }

  void synchronize() override {
    const std::lock_guard lock(mutex_);
    run_to(end());
  }

 private:
  std::uint64_t end() const { return done_ + work_.size(); }
  void run_to(std::uint64_t number) {
    while (done_ < number) {
      const std::function<void()> work = std::move(work_.front());
      work_.pop_front();
      ++done_;
      work();
    }
  }

  EmulatedOrder order_;
  std::mutex mutex_;
  std::deque<std::function<void()>> work_;
  std::uint64_t done_ = 0;
};

class EmulatedBackend : public DeviceBackend {
 public:
  explicit EmulatedBackend(EmulatedOrder order) : stream_(order) {}

  /// No MPI has a function of that name, but one that a test pretends.
  const char* name_in_mpi() const override { return "emulated"; }
  Stream& stream() override { return stream_; }
  KernelLauncher& launcher() override { return launcher_; }
  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    return allocate_emulated(bytes);
  }
  OfferedMemory offer(std::size_t bytes) override { return offer_emulated(bytes); }
  std::shared_ptr<std::byte> open(const MemoryName& name, std::size_t bytes) override {
    return open_emulated(name, bytes);
  }
  void clear(std::byte* memory, std::size_t bytes) override {
    std::memset(emulated_bytes(memory), 0, bytes);
  }
  bool holds(const void* address) const override { return is_emulated(address); }

 private:
  EmulatedStream stream_;
  HostLauncher launcher_{
      [](DeviceAddress at) { return emulated_bytes(reinterpret_cast<const void*>(at)); },
      [this](std::function<void()> work) { stream_.append(std::move(work)); }};
};

}  // namespace

ForgottenWaits::ForgottenWaits() { waits_are_forgotten = true; }
ForgottenWaits::~ForgottenWaits() { waits_are_forgotten = false; }

std::shared_ptr<DeviceBackend> make_emulated_backend(EmulatedOrder order) {
  return std::make_shared<EmulatedBackend>(order);
}

std::shared_ptr<Device> make_emulated_device(EmulatedOrder order) {
  return make_backend_device(make_emulated_backend(order));
}

}  // namespace weft
