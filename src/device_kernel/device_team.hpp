// The threads of a block, on a device: each thread runs all phases, with barriers between them.
#pragma once

#include "device_kernel/numbers.hpp"

namespace weft {

/// The type that the device moves by one instruction.
template <class T>
struct MovedAs {
  using Type = T;
};
template <>
struct MovedAs<Number<double>> {
  using Type = double2;
};
template <>
struct MovedAs<Number<float>> {
  using Type = float2;
};
template <>
struct MovedAs<Number<std::uint16_t>> {
  using Type = ushort2;
};

class DeviceTeam {
 public:
  __device__ explicit DeviceTeam(void* shared) : shared_(shared) {}

  template <class Body>
  __device__ __forceinline__ void each(Body&& body) const {
    body(static_cast<int>(threadIdx.x));
    __syncthreads();
  }
  template <class T>
  class PerThread {
   public:
    __device__ __forceinline__ explicit PerThread(const DeviceTeam&) {}
    __device__ __forceinline__ T& operator[](int) { return value_; }

   private:
    T value_;
  };
  template <class T>
  __device__ __forceinline__ T get(int slot) const {
    return static_cast<const T*>(shared_)[slot];
  }
  template <class T>
  __device__ __forceinline__ void put(int slot, T value) const {
    static_cast<T*>(shared_)[slot] = value;
  }
  /// Arrays are read once and written once, so they need not stay in the caches.
  template <class T>
  __device__ __forceinline__ T read(DeviceAddress address) const {
    return as<T>(__ldcs(reinterpret_cast<const typename MovedAs<T>::Type*>(address)));
  }
  template <class T>
  __device__ __forceinline__ void write(DeviceAddress address, T value) const {
    using Moved = typename MovedAs<T>::Type;
    __stcs(reinterpret_cast<Moved*>(address), as<Moved>(value));
  }
  template <class T>
  __device__ __forceinline__ T constant(const T* at) const {
    return as<T>(__ldg(reinterpret_cast<const typename MovedAs<T>::Type*>(at)));
  }

 private:
  template <class To, class From>
  static __device__ __forceinline__ To as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    return reinterpret_cast<const To&>(from);
  }

  void* shared_;
};

}  // namespace weft
