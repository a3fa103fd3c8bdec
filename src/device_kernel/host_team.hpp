// The threads of a block, on the host: phases are loops, one thread after another.
#pragma once

#include <cstring>
#include <functional>
#include <vector>

#include "device_kernel/numbers.hpp"

namespace weft {

/// Converts an address of the device to the address of the same memory for the host.
using DeviceTranslation = std::function<std::byte*(DeviceAddress)>;

/// The host's counterpart of DeviceTeam (device_kernel/device_team.hpp). It is also the base of a
/// team that checks the accesses of threads.
class HostTeam {
 public:
  HostTeam(int threads, int shared_bytes, const DeviceTranslation& translate)
      : threads_(threads), shared_(shared_bytes / sizeof(Unit) + 1), translate_(translate) {}

  /// Calls body(thread) for all threads.
  template <class Body>
  void each(Body&& body) const {
    for (int thread = 0; thread < threads_; ++thread) body(thread);
  }
  /// The numbers that threads keep from one phase to the next.
  template <class T>
  class PerThread {
   public:
    explicit PerThread(const HostTeam& team) : values_(team.threads_) {}
    T& operator[](int thread) { return values_[thread]; }

   private:
    std::vector<T> values_;
  };
  /// Shared memory, as an array of T.
  template <class T>
  T get(int slot) const {
    T value;
    std::memcpy(&value, shared(slot * sizeof value), sizeof value);
    return value;
  }
  template <class T>
  void put(int slot, T value) const {
    std::memcpy(shared(slot * sizeof value), &value, sizeof value);
  }
  /// The device's memory.
  template <class T>
  T read(DeviceAddress address) const {
    T value;
    std::memcpy(&value, translate_(address), sizeof value);
    return value;
  }
  template <class T>
  void write(DeviceAddress address, T value) const {
    std::memcpy(translate_(address), &value, sizeof value);
  }
  /// Constants, which threads read again and again.
  template <class T>
  T constant(const T* at) const {
    return *at;
  }

 protected:
  std::byte* shared(std::size_t byte) const {
    return reinterpret_cast<std::byte*>(shared_.data()) + byte;
  }
  std::size_t shared_bytes() const { return shared_.size() * sizeof(Unit); }
  int threads() const { return threads_; }

 private:
  struct alignas(16) Unit {
    std::byte bytes[16];
  };
  int threads_;
  mutable std::vector<Unit> shared_;
  const DeviceTranslation& translate_;
};

}  // namespace weft
