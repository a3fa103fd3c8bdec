// Work is done by whoever asks for it, under a lock, so that a thread may ask as well. All streams
// of a device have the same lock, since one may have to do the work of another first.
#include "device/emulated_device.hpp"

#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>

#include "device/backend_device.hpp"
#include "device/emulated_memory.hpp"
#include "device/host_launcher.hpp"
#include "machine/aligned_buffer.hpp"

namespace weft {
namespace {

constexpr int nobody = -1;
std::atomic<int> forgetful = nobody;  // a Waiter

bool forgets(Waiter waiter) { return forgetful == static_cast<int>(waiter); }

/// What a stream holds. Others that wait for it may outlive the stream.
class Queue {
 public:
  void append(std::function<void()> work) { work_.push_back(std::move(work)); }
  std::uint64_t done() const { return done_; }
  std::uint64_t end() const { return done_ + work_.size(); }
  void run_to(std::uint64_t number) {
    while (done_ < number) {
      const std::function<void()> work = std::move(work_.front());
      work_.pop_front();
      ++done_;
      work();
    }
  }

 private:
  std::deque<std::function<void()>> work_;
  std::uint64_t done_ = 0;
};

class EmulatedStream : public Stream {
 public:
  EmulatedStream(Waiter waiter, EmulatedOrder order, std::shared_ptr<std::recursive_mutex> mutex)
      : waiter_(waiter), order_(order), mutex_(std::move(mutex)) {}

  void append(std::function<void()> work) {
    const std::lock_guard lock(*mutex_);
    queue_->append(std::move(work));
    if (order_ == EmulatedOrder::eager) queue_->run_to(queue_->end());
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;  // there may be no memory at all
    append([=] { std::memcpy(emulated_bytes(to), emulated_bytes(from), bytes); });
  }

  Produced mark() override {
    const std::lock_guard lock(*mutex_);
    if (forgets(Waiter::host)) return [] { return true; };
    return [queue = queue_, mutex = mutex_, number = queue_->end()] {
      const std::lock_guard asking(*mutex);
      if (queue->done() >= number) return true;
      queue->run_to(queue->done() + 1);  // so that who asks on and on is answered in the end
      return queue->done() >= number;
    };
  }

  void wait_for(Stream& other) override {
    const std::lock_guard lock(*mutex_);
    if (forgets(waiter_)) return;
    const auto& queue = static_cast<EmulatedStream&>(other).queue_;
    append([queue, number = queue->end()] { queue->run_to(number); });
  }

  void synchronize() override {
    const std::lock_guard lock(*mutex_);
    queue_->run_to(queue_->end());
  }

 private:
  Waiter waiter_;
  EmulatedOrder order_;
  std::shared_ptr<std::recursive_mutex> mutex_;
  std::shared_ptr<Queue> queue_ = std::make_shared<Queue>();
};

class EmulatedBackend : public DeviceBackend {
 public:
  explicit EmulatedBackend(EmulatedOrder order) : order_(order) {}

  /// No MPI has a function of that name, but one that a test pretends.
  const char* name_in_mpi() const override { return "emulated"; }
  Stream& stream() override { return stream_; }
  std::unique_ptr<Stream> make_stream() override {
    return std::make_unique<EmulatedStream>(Waiter::copies, order_, mutex_);
  }
  KernelLauncher& launcher() override { return launcher_; }
  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    return allocate_emulated(bytes);
  }
  std::shared_ptr<std::byte> allocate_on_host(std::size_t bytes) override {
    const auto buffer = std::make_shared<AlignedBuffer>(bytes);
    std::memset(buffer->data(), 0xff, bytes);
    return {buffer, buffer->data()};
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
  EmulatedOrder order_;
  std::shared_ptr<std::recursive_mutex> mutex_ = std::make_shared<std::recursive_mutex>();
  EmulatedStream stream_{Waiter::passes, order_, mutex_};
  HostLauncher launcher_{
      [](DeviceAddress at) { return emulated_bytes(reinterpret_cast<const void*>(at)); },
      [this](std::function<void()> work) { stream_.append(std::move(work)); }};
};

}  // namespace

ForgottenWaits::ForgottenWaits(Waiter waiter) { forgetful = static_cast<int>(waiter); }
ForgottenWaits::~ForgottenWaits() { forgetful = nobody; }

std::shared_ptr<DeviceBackend> make_emulated_backend(EmulatedOrder order) {
  return std::make_shared<EmulatedBackend>(order);
}

std::shared_ptr<Device> make_emulated_device(EmulatedOrder order) {
  return make_backend_device(make_emulated_backend(order));
}

}  // namespace weft
