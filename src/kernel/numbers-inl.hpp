// Complex numbers between memory and vectors: neighbouring numbers, whole vectors of them or only
// the first few, and slots of tiles. Compiled once for each instruction set.
#if defined(WEFT_KERNEL_NUMBERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_NUMBERS_INL
#undef WEFT_KERNEL_NUMBERS_INL
#else
#define WEFT_KERNEL_NUMBERS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <weft/axes.hpp>

#include "kernel/butterflies-inl.hpp"
#include "kernel/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
constexpr Index lanes_of() {
  return static_cast<Index>(hn::MaxLanes(Lanes<Real>()));
}

/// Vectors whose lanes hold lines 0, W/2, 1, W/2 + 1, ...: the order that costs least when
/// neighbouring lines are read from and written to memory.
template <class Real>
constexpr Index line_of_lane(Index lane) {
  return lane / 2 + lane % 2 * (lanes_of<Real>() / 2);
}

/// Separates W complex numbers from memory into their parts; a holds the first half of the numbers,
/// b the second.
template <class Real>
HWY_INLINE Split<Real> deinterleave(hn::Vec<Lanes<Real>> a, hn::Vec<Lanes<Real>> b) {
  swap_groups<sizeof(Real)>(Lanes<Real>(), a, b);
  return {a, b};
}
/// The way back: the same exchange of odd and even lanes.
template <class Real>
HWY_INLINE void interleave(Split<Real> x, hn::Vec<Lanes<Real>>& a, hn::Vec<Lanes<Real>>& b) {
  const Split<Real> pair = deinterleave<Real>(x.re, x.im);
  a = pair.re;
  b = pair.im;
}

/// The first `count` numbers of a vector in memory; `count` is 0 to W. Memory of the others is not
/// touched, and they are read as zeros.
template <class Real>
class FirstNumbers {
  using Vector = hn::Vec<Lanes<Real>>;

 public:
#if HWY_TARGET <= HWY_AVX2
  explicit HWY_INLINE FirstNumbers(Index count)
      : mask_(hn::FirstN(Lanes<Real>(), static_cast<std::size_t>(count))) {}
  HWY_INLINE Vector load(const Real* place) const {
    return hn::MaskedLoad(mask_, Lanes<Real>(), place);
  }
  HWY_INLINE void store(Vector v, Real* place) const {
    hn::BlendedStore(v, mask_, Lanes<Real>(), place);
  }

 private:
  hn::Mask<Lanes<Real>> mask_;
#else  // without masks
  explicit HWY_INLINE FirstNumbers(Index count)
      : bytes_(static_cast<std::size_t>(count) * sizeof(Real)) {}
  HWY_INLINE Vector load(const Real* place) const {
    HWY_ALIGN std::array<Real, static_cast<std::size_t>(lanes_of<Real>())> numbers{};
    std::memcpy(numbers.data(), place, bytes_);
    return hn::Load(Lanes<Real>(), numbers.data());
  }
  HWY_INLINE void store(Vector v, Real* place) const {
    HWY_ALIGN std::array<Real, static_cast<std::size_t>(lanes_of<Real>())> numbers;
    hn::Store(v, Lanes<Real>(), numbers.data());
    std::memcpy(place, numbers.data(), bytes_);
  }

 private:
  std::size_t bytes_;
#endif
};

/// The first `count` of W neighbouring complex numbers in memory.
template <class Real>
class FirstOfRow {
  static constexpr Index width = lanes_of<Real>();

 public:
  explicit HWY_INLINE FirstOfRow(Index count)
      : first_(std::min(2 * count, width)), second_(std::max<Index>(2 * count - width, 0)) {}
  HWY_INLINE Split<Real> load(const Real* place) const {
    return deinterleave<Real>(first_.load(place), second_.load(place + width));
  }
  HWY_INLINE void store(Split<Real> x, Real* place) const {
    hn::Vec<Lanes<Real>> a, b;
    interleave<Real>(x, a, b);
    first_.store(a, place);
    second_.store(b, place + width);
  }

 private:
  FirstNumbers<Real> first_;
  FirstNumbers<Real> second_;
};

/// W neighbouring complex numbers in memory.
template <class Real>
HWY_INLINE Split<Real> load_row(const Real* place) {
  const Lanes<Real> tag;
  return deinterleave<Real>(hn::LoadU(tag, place), hn::LoadU(tag, place + lanes_of<Real>()));
}
/// A `Streamed` row is aligned to cache lines, and bypasses the cache.
template <class Real, bool Streamed = false>
HWY_INLINE void store_row(Split<Real> x, Real* place) {
  const Lanes<Real> tag;
  hn::Vec<Lanes<Real>> a, b;
  interleave<Real>(x, a, b);
  if constexpr (Streamed) {
    hn::Stream(a, tag, place);
    hn::Stream(b, tag, place + lanes_of<Real>());
  } else {
    hn::StoreU(a, tag, place);
    hn::StoreU(b, tag, place + lanes_of<Real>());
  }
}

/// W real parts and W imaginary parts.
template <class Real>
HWY_INLINE Split<Real> load_slot(const Real* place) {
  const Lanes<Real> tag;
  return {hn::Load(tag, place), hn::Load(tag, place + lanes_of<Real>())};
}
template <class Real>
HWY_INLINE void store_slot(Split<Real> x, Real* place) {
  const Lanes<Real> tag;
  hn::Store(x.re, tag, place);
  hn::Store(x.im, tag, place + lanes_of<Real>());
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
