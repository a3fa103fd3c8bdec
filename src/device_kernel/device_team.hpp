// The threads of a block, on a device: each thread runs all phases, with barriers between them.
#pragma once

#include "device_kernel/numbers.hpp"

namespace weft {

#ifdef __HIP__
template <class Part>
using Pair = Part __attribute__((ext_vector_type(2)));
using DoublePair = Pair<double>;
using FloatPair = Pair<float>;
using ShortPair = Pair<std::uint16_t>;
/// Arrays are read once and written once, so they need not stay in the caches.
template <class Moved>
__device__ __forceinline__ Moved read_once(const Moved* at) {
  return __builtin_nontemporal_load(at);
}
template <class Moved>
__device__ __forceinline__ void write_once(Moved* at, Moved value) {
  __builtin_nontemporal_store(value, at);
}
template <class Moved>
__device__ __forceinline__ Moved read_constant(const Moved* at) {
  return *at;
}
#else
using DoublePair = double2;
using FloatPair = float2;
using ShortPair = ushort2;
template <class Moved>
__device__ __forceinline__ Moved read_once(const Moved* at) {
  return __ldcs(at);
}
template <class Moved>
__device__ __forceinline__ void write_once(Moved* at, Moved value) {
  __stcs(at, value);
}
template <class Moved>
__device__ __forceinline__ Moved read_constant(const Moved* at) {
  return __ldg(at);
}
#endif

/// The type that the device moves by one instruction.
template <class T>
struct MovedAs {
  using Type = T;
};
template <>
struct MovedAs<Number<double>> {
  using Type = DoublePair;
};
template <>
struct MovedAs<Number<float>> {
  using Type = FloatPair;
};
template <>
struct MovedAs<Number<std::uint16_t>> {
  using Type = ShortPair;
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
  template <class T>
  __device__ __forceinline__ T read(DeviceAddress address) const {
    return as<T>(read_once(reinterpret_cast<const typename MovedAs<T>::Type*>(address)));
  }
  template <class T>
  __device__ __forceinline__ void write(DeviceAddress address, T value) const {
    using Moved = typename MovedAs<T>::Type;
    write_once(reinterpret_cast<Moved*>(address), as<Moved>(value));
  }
  template <class T>
  __device__ __forceinline__ T constant(const T* at) const {
    return as<T>(read_constant(reinterpret_cast<const typename MovedAs<T>::Type*>(at)));
  }

 private:
  template <class To, class From>
  static __device__ __forceinline__ To as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
  }

  void* shared_;
};

}  // namespace weft
