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
/// Most arrays are read once and written once, so they need not stay in the caches.
template <class Moved>
__device__ __forceinline__ Moved read_once(const Moved* at) {
  return __builtin_nontemporal_load(at);
}
/// From the second-level cache, which all blocks see.
template <class Moved>
__device__ __forceinline__ Moved read_shared(const Moved* at) {
  return *at;
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
__device__ __forceinline__ Moved read_shared(const Moved* at) {
  return __ldcg(at);
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
  /// See TileJob.
  __device__ DeviceTeam(void* shared, bool source_cached, bool target_cached)
      : shared_(shared), source_cached_(source_cached), target_cached_(target_cached) {}

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
    const auto* const at = reinterpret_cast<const typename MovedAs<T>::Type*>(address);
    return as<T>(source_cached_ ? read_shared(at) : read_once(at));
  }
  template <class T>
  __device__ __forceinline__ void write(DeviceAddress address, T value) const {
    using Moved = typename MovedAs<T>::Type;
    auto* const at = reinterpret_cast<Moved*>(address);
    if (target_cached_)
      *at = as<Moved>(value);
    else
      write_once(at, as<Moved>(value));
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
  bool source_cached_;
  bool target_cached_;
};

}  // namespace weft
