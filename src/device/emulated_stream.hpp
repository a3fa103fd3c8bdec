// The stream of a pretended device. Work is done by whoever asks for it, under a lock, so that a
// thread may ask as well.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "backend/stream.hpp"
#include "device/emulated_device.hpp"

namespace weft {

/// All streams of a device have the same lock, since one may have to do the work of another first.
using EmulatedLock = std::shared_ptr<std::recursive_mutex>;

class EmulatedStream : public Stream {
 public:
  EmulatedStream(Waiter waiter, EmulatedOrder order, EmulatedLock lock);

  /// `work` returns whether it is done; if not, it is tried again, and what comes behind it waits.
  void append_trying(std::function<bool()> work);
  void append(std::function<void()> work);

  void copy(void* to, const void* from, std::size_t bytes) override;
  SharedMark mark() override;
  void wait_for(const Mark& mark) override;
  void synchronize() override;

 private:
  class Queue;
  class Reached;

  Waiter waiter_;
  EmulatedOrder order_;
  EmulatedLock lock_;
  std::shared_ptr<Queue> queue_;  // others that wait for it may outlive the stream
};

/// Whether a test has made this waiter leave out its waits.
bool forgets(Waiter waiter);

}  // namespace weft
