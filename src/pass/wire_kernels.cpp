// Copies that convert between an element and its shorter form for the wire, one element at a time
// and without explicit SIMD: a network slow enough to need shorter elements is slower than this.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "pass/copy_kernels.hpp"

namespace weft {
namespace {

/// Unconverted floating-point numbers.
template <class Real, int Components>
struct Plain {
  static constexpr int components = Components;
  static constexpr Index bytes = Components * static_cast<Index>(sizeof(Real));
  static void load(const std::byte* from, double* values) {
    Real reals[Components];
    std::memcpy(reals, from, sizeof reals);
    for (int c = 0; c < Components; ++c) values[c] = reals[c];
  }
  static void store(const double* values, std::byte* to) {
    Real reals[Components];
    for (int c = 0; c < Components; ++c) reals[c] = static_cast<Real>(values[c]);
    std::memcpy(to, reals, sizeof reals);
  }
};

/// The upper half of a float, rounded to nearest even: 8 bits of precision, the range of float.
template <int Components>
struct Brain {
  static constexpr int components = Components;
  static constexpr Index bytes = 2 * Components;
  static void load(const std::byte* from, double* values) {
    std::uint16_t halves[Components];
    std::memcpy(halves, from, sizeof halves);
    for (int c = 0; c < Components; ++c)
      values[c] = std::bit_cast<float>(std::uint32_t{halves[c]} << 16);
  }
  static void store(const double* values, std::byte* to) {
    std::uint16_t halves[Components];
    for (int c = 0; c < Components; ++c) {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[c]));
      const bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
      const std::uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
      halves[c] = static_cast<std::uint16_t>((is_nan ? bits | 0x400000 : rounded) >> 16);
    }
    std::memcpy(to, halves, sizeof halves);
  }
};

/// A complex number in 32 bits: an exponent of 8 bits shared by the real and imaginary parts, which
/// are 12-bit multiples of that power of two. Too small numbers become zero, too large ones NaN.
struct Pair {
  static constexpr int components = 2;
  static constexpr Index bytes = 4;
  static constexpr int bias = 128;
  static constexpr std::uint32_t no_number = 255;

  static double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  }
  static int exponent_of(double value) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff) - 1022;
  }
  static void load(const std::byte* from, double* values) {
    std::uint32_t word = 0;
    std::memcpy(&word, from, sizeof word);
    const auto signed12 = [](std::uint32_t bits) {
      return static_cast<double>(static_cast<std::int32_t>(bits << 20) >> 20);
    };
    const std::uint32_t exponent = word >> 24;
    const double unit = exponent == no_number
                            ? std::numeric_limits<double>::quiet_NaN()
                            : power_of_two(static_cast<int>(exponent) - bias - 11);
    values[0] = signed12(word) * unit;
    values[1] = signed12(word >> 12) * unit;
  }
  static void store(const double* values, std::byte* to) {
    // Both parts stay below 2^exponent, even after rounding to multiples of 2^(exponent - 11).
    const double largest = std::max(std::abs(values[0]), std::abs(values[1]));
    const int exponent = exponent_of(largest * (1 + 0x1p-11));
    std::uint32_t word = 0;
    if (!(largest < 0x1p125)) {
      word = no_number << 24;
    } else if (exponent > -bias) {
      const double units = power_of_two(11 - exponent);
      const auto bits = [&](double value) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lrint(value * units))) &
               0xfff;
      };
      word = static_cast<std::uint32_t>(exponent + bias) << 24 | bits(values[1]) << 12 |
             bits(values[0]);
    }
    std::memcpy(to, &word, sizeof word);
  }
};

template <class From, class To>
struct Convert {
  static void element(const std::byte* from, std::byte* to, double factor) {
    double values[From::components];
    From::load(from, values);
    for (double& value : values) value *= factor;
    To::store(values, to);
  }
  static void rows(const std::byte* source, Index source_stride, std::byte* target,
                   Index target_stride, Index rows, Index columns, double factor) {
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c)
        element(source + r * source_stride + c * From::bytes,
                target + r * target_stride + c * To::bytes, factor);
  }
  static void transposed(const std::byte* source, Index source_stride, std::byte* target,
                         Index target_stride, Index rows, Index columns, double factor) {
    for (Index c = 0; c < columns; ++c)
      for (Index r = 0; r < rows; ++r)
        element(source + r * source_stride + c * From::bytes,
                target + c * target_stride + r * To::bytes, factor);
  }
};

template <class From, class To>
CopyKernels kernels() {
  using Both = Convert<From, To>;
  return {Both::rows, Both::rows, Both::transposed, Both::transposed};
}

/// Calls body with the codec of an element's form on the wire.
template <class Real, int Components, class Body>
CopyKernels with_codec(Wire wire, Body&& body) {
  if (wire == Wire::exact) return body(Plain<Real, Components>());
  if (wire == Wire::single_) return body(Plain<float, Components>());
  if constexpr (Components == 2)
    if (wire == Wire::fixed12) return body(Pair());
  return body(Brain<Components>());
}

template <class Real, int Components>
CopyKernels kernels_between(Wire from, Wire to) {
  return with_codec<Real, Components>(from, [&](auto source) {
    return with_codec<Real, Components>(
        to, [&](auto target) { return kernels<decltype(source), decltype(target)>(); });
  });
}

}  // namespace

CopyKernels copy_kernels(const Element& from, const Element& to, Scaling scaling) {
  if (from == to && from.wire == Wire::exact) return copy_kernels(from, scaling);
  if (from.precision == Precision::double_)
    return from.real ? kernels_between<double, 1>(from.wire, to.wire)
                     : kernels_between<double, 2>(from.wire, to.wire);
  return from.real ? kernels_between<float, 1>(from.wire, to.wire)
                   : kernels_between<float, 2>(from.wire, to.wire);
}

}  // namespace weft
