// Numbers of the device's kernels, and the marks with which C++ compilers and those of GPUs compile
// one source. NVRTC and HIPRTC have no standard headers, so this folder includes them only for the
// others.
#pragma once

#if defined(__CUDACC__) || defined(__HIP__)
#define WEFT_ON_DEVICE
#endif
#ifdef __HIP__
#define WEFT_ARGUMENT const
#else
#define WEFT_ARGUMENT const __grid_constant__  // read where the launch has put it
#endif

#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#define WEFT_WITHOUT_HEADERS
namespace weft::std {  // found before the compiler's own, which may lack some of these types
using int32_t = int;
using int64_t = long;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using size_t = unsigned long;
}  // namespace weft::std
#else
#include <cstddef>
#include <cstdint>
#endif

#ifdef WEFT_ON_DEVICE
#define WEFT_KERNEL __host__ __device__ __forceinline__
#define WEFT_UNROLL _Pragma("unroll")
#else
#define WEFT_KERNEL inline
#define WEFT_UNROLL
#endif

namespace weft {

using Index = std::int64_t;

/// An address of the device's memory; the host may only calculate with it.
using DeviceAddress = std::uint64_t;

/// A complex number; its alignment lets one instruction read or write it.
template <class Real>
struct alignas(2 * sizeof(Real)) Number {
  Real re, im;
};

template <class Real>
WEFT_KERNEL Number<Real> operator+(Number<Real> a, Number<Real> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
WEFT_KERNEL Number<Real> operator-(Number<Real> a, Number<Real> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class Real>
WEFT_KERNEL Number<Real> operator*(Number<Real> a, Number<Real> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class Real>
WEFT_KERNEL Number<Real> scaled(Number<Real> a, Real factor) {
  return {a.re * factor, a.im * factor};
}
/// Applied before and after a forward transform, it makes the transform a backward one.
template <class Real>
WEFT_KERNEL Number<Real> conjugate(Number<Real> a) {
  return {a.re, -a.im};
}
template <class Real>
WEFT_KERNEL Number<Real> times_i(Number<Real> a) {
  return {-a.im, a.re};
}
template <class Real>
WEFT_KERNEL Number<Real> minus_i(Number<Real> a) {
  return {a.im, -a.re};
}

}  // namespace weft
