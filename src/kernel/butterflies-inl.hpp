// DFTs of a few points, on vectors whose lanes are independent lines. Constants are broadcast, so
// one loaded number serves all lanes. Only the forward sign exists: a backward DFT is the forward
// one with its outputs in reverse order. Compiled once for each instruction set.
#if defined(WEFT_KERNEL_BUTTERFLIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_BUTTERFLIES_INL
#undef WEFT_KERNEL_BUTTERFLIES_INL
#else
#define WEFT_KERNEL_BUTTERFLIES_INL
#endif

#include <hwy/highway.h>

#include "machine/cache_line.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of a cache line at most: two hold the complex numbers of one slot.
template <class Real>
using Lanes = hn::CappedTag<Real, line_bytes / sizeof(Real)>;

/// Real and imaginary parts of one element of each lane's line.
template <class Real>
struct Split {
  using Vector = hn::Vec<Lanes<Real>>;
  // Implicit constructors would be compiled for the plain processor, where the constructors of
  // NEON's vectors cannot be inlined.
  HWY_INLINE Split() {}
  HWY_INLINE Split(Vector real, Vector imaginary) : re(real), im(imaginary) {}
  Vector re;
  Vector im;
};

template <class Real>
HWY_INLINE auto broadcast(Real value) {
  return hn::Set(Lanes<Real>(), value);
}

template <class Real>
HWY_INLINE Split<Real> operator+(Split<Real> a, Split<Real> b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class Real>
HWY_INLINE Split<Real> operator-(Split<Real> a, Split<Real> b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
/// a - i b
template <class Real>
HWY_INLINE Split<Real> minus_i(Split<Real> a, Split<Real> b) {
  return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}
/// a + i b
template <class Real>
HWY_INLINE Split<Real> plus_i(Split<Real> a, Split<Real> b) {
  return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}
/// a + factor b
template <class Real>
HWY_INLINE Split<Real> add_scaled(Split<Real> a, Split<Real> b, Real factor) {
  const auto f = broadcast(factor);
  return {hn::MulAdd(f, b.re, a.re), hn::MulAdd(f, b.im, a.im)};
}
/// x times (cosine + i sine)
template <class Real>
HWY_INLINE Split<Real> times(Split<Real> x, Real cosine, Real sine) {
  const auto c = broadcast(cosine), s = broadcast(sine);
  return {hn::NegMulAdd(s, x.im, hn::Mul(c, x.re)), hn::MulAdd(s, x.re, hn::Mul(c, x.im))};
}

template <class Real>
HWY_INLINE void dft4(Split<Real>& a, Split<Real>& b, Split<Real>& c, Split<Real>& d) {
  const Split<Real> even = a + c, odd = a - c, sum = b + d, difference = b - d;
  a = even + sum;
  b = minus_i(odd, difference);
  c = even - sum;
  d = plus_i(odd, difference);
}

/// Replaces x by its DFT. `circle`: for odd radices, cosine and sine of 2 pi k / Radix for each k.
/// Elements a and Radix - a are paired: their sum is multiplied by cosines, their difference by
/// sines.
template <int Radix>
struct Butterfly {
  static_assert(Radix % 2 == 1, "even radices are specialised");
  static constexpr int pairs = (Radix - 1) / 2;

  template <class Real>
  static HWY_INLINE void run(Split<Real>* x, const Real* circle) {
    Split<Real> sum[pairs], difference[pairs];
#pragma GCC unroll 16
    for (int j = 0; j < pairs; ++j) {
      sum[j] = x[j + 1] + x[Radix - 1 - j];
      difference[j] = x[j + 1] - x[Radix - 1 - j];
    }
    const Split<Real> first = x[0];
#pragma GCC unroll 16
    for (int j = 0; j < pairs; ++j) x[0] = x[0] + sum[j];
#pragma GCC unroll 16
    for (int k = 1; k <= pairs; ++k) {
      Split<Real> even = first;
      const auto s0 = broadcast(circle[2 * k + 1]);
      Split<Real> odd{hn::Mul(s0, difference[0].re), hn::Mul(s0, difference[0].im)};
#pragma GCC unroll 16
      for (int j = 0; j < pairs; ++j) {
        const int turn = k * (j + 1) % Radix;
        even = add_scaled(even, sum[j], circle[2 * turn]);
        if (j > 0) odd = add_scaled(odd, difference[j], circle[2 * turn + 1]);
      }
      x[k] = minus_i(even, odd);
      x[Radix - k] = plus_i(even, odd);
    }
  }
};

template <>
struct Butterfly<2> {
  template <class Real>
  static HWY_INLINE void run(Split<Real>* x, const Real*) {
    const Split<Real> difference = x[0] - x[1];
    x[0] = x[0] + x[1];
    x[1] = difference;
  }
};

template <>
struct Butterfly<4> {
  template <class Real>
  static HWY_INLINE void run(Split<Real>* x, const Real*) {
    dft4(x[0], x[1], x[2], x[3]);
  }
};

inline constexpr double root_half = 0.707106781186547524400844362104849039;

/// b (1 - i): a rotation by -45 degrees, without the factor root_half.
template <class Real>
HWY_INLINE Split<Real> eighth_turn(Split<Real> b) {
  return {hn::Add(b.re, b.im), hn::Sub(b.im, b.re)};
}
/// x + and - root_half times (1 - i) b
template <class Real>
HWY_INLINE void add_and_subtract_eighth(Split<Real> a, Split<Real> b, Split<Real>& plus,
                                        Split<Real>& minus) {
  const Split<Real> turned = eighth_turn(b);
  plus = add_scaled(a, turned, static_cast<Real>(root_half));
  minus = add_scaled(a, turned, static_cast<Real>(-root_half));
}
/// The same with (-1 - i) b
template <class Real>
HWY_INLINE void add_and_subtract_three_eighths(Split<Real> a, Split<Real> b, Split<Real>& plus,
                                               Split<Real>& minus) {
  const Split<Real> turned = eighth_turn(b);  // (-1 - i) b = -i (1 - i) b
  const auto h = broadcast(static_cast<Real>(root_half));
  plus = {hn::MulAdd(h, turned.im, a.re), hn::NegMulAdd(h, turned.re, a.im)};
  minus = {hn::NegMulAdd(h, turned.im, a.re), hn::MulAdd(h, turned.re, a.im)};
}

template <>
struct Butterfly<8> {
  template <class Real>
  static HWY_INLINE void run(Split<Real>* x, const Real*) {
    Split<Real> a0 = x[0], a1 = x[2], a2 = x[4], a3 = x[6];
    Split<Real> b0 = x[1], b1 = x[3], b2 = x[5], b3 = x[7];
    dft4(a0, a1, a2, a3);
    dft4(b0, b1, b2, b3);
    x[0] = a0 + b0;
    x[4] = a0 - b0;
    add_and_subtract_eighth(a1, b1, x[1], x[5]);
    x[2] = minus_i(a2, b2);
    x[6] = plus_i(a2, b2);
    add_and_subtract_three_eighths(a3, b3, x[3], x[7]);
  }
};

/// Four DFTs of four, twiddles, four DFTs of four.
template <>
struct Butterfly<16> {
  template <class Real>
  static HWY_INLINE Split<Real> eighth(Split<Real> b) {
    const Split<Real> t = eighth_turn(b);
    const auto h = broadcast(static_cast<Real>(root_half));
    return {hn::Mul(h, t.re), hn::Mul(h, t.im)};
  }
  template <class Real>
  static HWY_INLINE Split<Real> three_eighths(Split<Real> b) {
    const Split<Real> t = eighth_turn(b);
    const auto h = broadcast(static_cast<Real>(root_half));
    const auto minus_h = broadcast(static_cast<Real>(-root_half));
    return {hn::Mul(h, t.im), hn::Mul(minus_h, t.re)};
  }

  template <class Real>
  static HWY_INLINE void run(Split<Real>* x, const Real*) {
    constexpr Real c = static_cast<Real>(0.923879532511286756128183189396788933);
    constexpr Real s = static_cast<Real>(0.382683432365089771728459984030398866);
#pragma GCC unroll 16
    for (int j = 0; j < 4; ++j) dft4(x[j], x[j + 4], x[j + 8], x[j + 12]);
    x[5] = times(x[5], c, -s);
    x[6] = eighth(x[6]);
    x[7] = times(x[7], s, -c);
    x[9] = eighth(x[9]);
    x[11] = three_eighths(x[11]);
    x[13] = times(x[13], s, -c);
    x[14] = three_eighths(x[14]);
    x[15] = times(x[15], -c, s);
    x[10] = {x[10].im, hn::Neg(x[10].re)};
#pragma GCC unroll 16
    for (int k = 0; k < 4; ++k) dft4(x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]);
    Split<Real> y[16];
#pragma GCC unroll 16
    for (int k = 0; k < 4; ++k)
#pragma GCC unroll 16
      for (int m = 0; m < 4; ++m) y[k + 4 * m] = x[4 * k + m];
#pragma GCC unroll 16
    for (int j = 0; j < 16; ++j) x[j] = y[j];
  }
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
