// A queue of functions. It never blocks: the next call that asks tries unfinished work again.
#include "device/emulated_stream.hpp"

#include <atomic>
#include <cstring>

#include "device/emulated_memory.hpp"
#include "machine/until.hpp"

namespace weft {
namespace {

constexpr int nobody = -1;
std::atomic<int> forgetful = nobody;  // a Waiter

}  // namespace

bool forgets(Waiter waiter) { return forgetful == static_cast<int>(waiter); }

ForgottenWaits::ForgottenWaits(Waiter waiter) { forgetful = static_cast<int>(waiter); }
ForgottenWaits::~ForgottenWaits() { forgetful = nobody; }

class EmulatedStream::Queue {
 public:
  void append(std::function<bool()> work) { work_.push_back(std::move(work)); }
  std::uint64_t done() const { return done_; }
  std::uint64_t end() const { return done_ + work_.size(); }
  /// Does the work before that number, in order; false if some of it cannot be done yet.
  bool run_to(std::uint64_t number) {
    for (; done_ < number; ++done_) {
      if (!work_.front()()) return false;
      work_.pop_front();
    }
    return true;
  }

 private:
  std::deque<std::function<bool()>> work_;
  std::uint64_t done_ = 0;
};

class EmulatedStream::Reached : public Mark {
 public:
  Reached(std::shared_ptr<Queue> queue, EmulatedLock lock)
      : queue_(std::move(queue)),
        lock_(std::move(lock)),
        number_(queue_->end()),
        host_waits_(!forgets(Waiter::host)) {}

  bool is_over() const override {
    if (!host_waits_) return true;
    const std::lock_guard lock(*lock_);
    if (queue_->done() >= number_) return true;
    queue_->run_to(queue_->done() + 1);  // so that repeated questions finish the work
    return queue_->done() >= number_;
  }
  bool is_over_at_once() const { return queue_->run_to(number_); }

 private:
  std::shared_ptr<Queue> queue_;
  EmulatedLock lock_;
  std::uint64_t number_;
  bool host_waits_;
};

EmulatedStream::EmulatedStream(Waiter waiter, EmulatedOrder order, EmulatedLock lock)
    : waiter_(waiter), order_(order), lock_(std::move(lock)), queue_(std::make_shared<Queue>()) {}

void EmulatedStream::append_trying(std::function<bool()> work) {
  const std::lock_guard lock(*lock_);
  queue_->append(std::move(work));
  if (order_ == EmulatedOrder::eager) queue_->run_to(queue_->end());
}

void EmulatedStream::append(std::function<void()> work) {
  append_trying([work = std::move(work)] {
    work();
    return true;
  });
}

void EmulatedStream::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;  // there may be no memory at all
  append([=] { std::memcpy(emulated_bytes(to), emulated_bytes(from), bytes); });
}

SharedMark EmulatedStream::mark() {
  const std::lock_guard lock(*lock_);
  return std::make_shared<const Reached>(queue_, lock_);
}

void EmulatedStream::wait_for(const Mark& mark) {
  if (forgets(waiter_)) return;
  append_trying(
      [reached = static_cast<const Reached&>(mark)] { return reached.is_over_at_once(); });
}

void EmulatedStream::synchronize() {
  until([this] {
    const std::lock_guard lock(*lock_);
    return queue_->run_to(queue_->end());
  });
}

}  // namespace weft
