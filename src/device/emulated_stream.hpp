// The stream of a pretended device. The thread that asks for work does it, under a lock, so that
// any thread may ask.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "backend/stream.hpp"
#include "device/emulated_device.hpp"

namespace weft {

/// All streams of a device share one lock, since one stream may first have to do the work of
/// another.
using EmulatedLock = std::shared_ptr<std::recursive_mutex>;

class EmulatedStream : public Stream {
 public:
  EmulatedStream(Waiter waiter, EmulatedOrder order, EmulatedLock lock);

  /// `work` returns whether it is done; if not, it is tried again, and the work behind it waits.
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
  std::shared_ptr<Queue> queue_;  // other streams that wait for it may outlive this one
};

/// Whether a test has made this waiter omit its waits.
bool forgets(Waiter waiter);

}  // namespace weft
