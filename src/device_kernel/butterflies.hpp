// Forward Fourier transforms of a few numbers in registers: 2 to 8, 10 to 13 and 16.
#pragma once

#include "device_kernel/numbers.hpp"

namespace weft {

/// cos and sin of 2 pi k / n, at compile time: Taylor's series within an eighth of a turn.
template <int n>
struct CircleTable {
  double cosine[n] = {};
  double sine[n] = {};
  constexpr CircleTable() {
    for (int k = 0; k < n; ++k) {
      const int quarters = (8 * k + n) / (2 * n);
      const double x = 1.57079632679489661923 * (4 * k - quarters * n) / n;
      double c = 0, s = 0, term = 1;
      for (int i = 0; i < 20; i += 2) {
        c += term;
        term *= x / (i + 1);
        s += term;
        term *= -x / (i + 2);
      }
      for (int turn = 0; turn < quarters; ++turn) {
        const double cosine_before = c;
        c = -s;
        s = cosine_before;
      }
      cosine[k] = c;
      sine[k] = s;
    }
  }
};

/// Odd lengths: by the symmetry of their cosines and sines.
template <int n>
struct Butterfly {
  template <class Real>
  static WEFT_KERNEL void run(Number<Real>* x) {
    constexpr int half = (n - 1) / 2;
    constexpr CircleTable<n> circle{};
    Number<Real> sum[half], difference[half];
    const Number<Real> first = x[0];
    WEFT_UNROLL
    for (int k = 0; k < half; ++k) {
      sum[k] = x[k + 1] + x[n - 1 - k];
      difference[k] = x[k + 1] - x[n - 1 - k];
      x[0] = x[0] + sum[k];
    }
    WEFT_UNROLL
    for (int m = 1; m <= half; ++m) {
      Number<Real> even = first, odd{0, 0};
      WEFT_UNROLL
      for (int k = 0; k < half; ++k) {
        const int turn = (k + 1) * m % n;
        even = even + scaled(sum[k], static_cast<Real>(circle.cosine[turn]));
        odd = odd + scaled(difference[k], static_cast<Real>(circle.sine[turn]));
      }
      x[m] = even + minus_i(odd);
      x[n - m] = even - minus_i(odd);
    }
  }
};

template <>
struct Butterfly<2> {
  template <class Real>
  static WEFT_KERNEL void run(Number<Real>* x) {
    const Number<Real> difference = x[0] - x[1];
    x[0] = x[0] + x[1];
    x[1] = difference;
  }
};

template <>
struct Butterfly<4> {
  template <class Real>
  static WEFT_KERNEL void run(Number<Real>* x) {
    const Number<Real> a = x[0] + x[2], b = x[0] - x[2];
    const Number<Real> c = x[1] + x[3], d = minus_i(x[1] - x[3]);
    x[0] = a + c;
    x[1] = b + d;
    x[2] = a - c;
    x[3] = b - d;
  }
};

/// exp(-2 pi i k / n) a; cheap for multiples of an eighth of a turn.
template <int n, class Real>
WEFT_KERNEL Number<Real> turned(Number<Real> a, int k) {
  constexpr CircleTable<n> circle{};
  const auto h = static_cast<Real>(0.70710678118654752440);
  if (k == 0) return a;
  if (4 * k == n) return minus_i(a);
  if (8 * k == n) return {h * (a.re + a.im), h * (a.im - a.re)};
  if (8 * k == 3 * n) return {h * (a.im - a.re), -h * (a.re + a.im)};
  return a * Number<Real>{static_cast<Real>(circle.cosine[k]), static_cast<Real>(-circle.sine[k])};
}

/// Even lengths: from two halves.
template <int n>
struct EvenButterfly {
  template <class Real>
  static WEFT_KERNEL void run(Number<Real>* x) {
    constexpr int half = n / 2;
    Number<Real> even[half], odd[half];
    WEFT_UNROLL
    for (int k = 0; k < half; ++k) {
      even[k] = x[2 * k];
      odd[k] = x[2 * k + 1];
    }
    Butterfly<half>::run(even);
    Butterfly<half>::run(odd);
    WEFT_UNROLL
    for (int k = 0; k < half; ++k) {
      const Number<Real> other = turned<n>(odd[k], k);
      x[k] = even[k] + other;
      x[k + half] = even[k] - other;
    }
  }
};
template <>
struct Butterfly<6> : EvenButterfly<6> {};
template <>
struct Butterfly<8> : EvenButterfly<8> {};
template <>
struct Butterfly<10> : EvenButterfly<10> {};
template <>
struct Butterfly<12> : EvenButterfly<12> {};
template <>
struct Butterfly<16> : EvenButterfly<16> {};

/// A number that the compiler knows.
template <int value_>
struct Constant {
  static constexpr int value = value_;
};

/// The lengths of butterflies, the longest first.
inline constexpr int butterfly_count = 12;
struct ButterflyLengths {
  int values[butterfly_count] = {16, 13, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2};
};

/// Calls body(Constant<radix>()) for one of these lengths.
template <class Body>
WEFT_KERNEL void with_radix(int radix, Body&& body) {
  switch (radix) {
    case 2:
      return body(Constant<2>());
    case 3:
      return body(Constant<3>());
    case 4:
      return body(Constant<4>());
    case 5:
      return body(Constant<5>());
    case 6:
      return body(Constant<6>());
    case 7:
      return body(Constant<7>());
    case 8:
      return body(Constant<8>());
    case 10:
      return body(Constant<10>());
    case 11:
      return body(Constant<11>());
    case 12:
      return body(Constant<12>());
    case 13:
      return body(Constant<13>());
    default:
      return body(Constant<16>());
  }
}

}  // namespace weft
