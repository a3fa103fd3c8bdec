// The forms of numbers on the wire, for the kernels of devices and for the host's copies. `Stored`
// is the type of a form in memory; `decode` and `encode` convert it to and from doubles.
#pragma once

#include <weft/wire.hpp>

#include "device_kernel/numbers.hpp"

namespace weft {

/// Floating-point numbers as they are.
template <class Real>
struct PlainPart {
  using Stored = Real;
  static WEFT_KERNEL double decode(Stored x) { return x; }
  static WEFT_KERNEL Stored encode(double x) { return static_cast<Stored>(x); }
};

/// The upper half of a float, rounded to nearest even: 8 bits of precision, the range of float.
struct BrainPart {
  using Stored = std::uint16_t;
  static WEFT_KERNEL double decode(Stored x) {
    return __builtin_bit_cast(float, std::uint32_t{x} << 16);
  }
  static WEFT_KERNEL Stored encode(double x) {
    const auto bits = __builtin_bit_cast(std::uint32_t, static_cast<float>(x));
    const bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
    const std::uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
    return static_cast<Stored>((is_nan ? bits | 0x400000 : rounded) >> 16);
  }
};

/// A complex number whose parts are stored one after the other.
template <class Part>
struct TwoParts {
  using Stored = Number<typename Part::Stored>;
  static WEFT_KERNEL Number<double> decode(Stored x) {
    return {Part::decode(x.re), Part::decode(x.im)};
  }
  static WEFT_KERNEL Stored encode(Number<double> x) {
    return {Part::encode(x.re), Part::encode(x.im)};
  }
};

/// A complex number in 32 bits. Both parts are 12-bit multiples of a power of two, whose exponent
/// of 8 bits they share. Too small numbers become zero, too large ones NaN.
struct SharedExponent {
  using Stored = std::uint32_t;
  static WEFT_KERNEL Number<double> decode(Stored word) {
    const std::uint32_t exponent = word >> 24;
    const double unit = exponent == no_number
                            ? __builtin_bit_cast(double, 0x7ff8000000000000)
                            : power_of_two(static_cast<int>(exponent) - bias - 11);
    return {signed12(word) * unit, signed12(word >> 12) * unit};
  }
  static WEFT_KERNEL Stored encode(Number<double> x) {
    const double real = magnitude(x.re), imaginary = magnitude(x.im);
    // The exponent of each part, since the larger part would hide a NaN in the other.
    if (!(real < 0x1p125 && imaginary < 0x1p125)) return no_number << 24;
    // Both parts stay below 2^exponent, even after rounding to multiples of 2^(exponent - 11).
    const int exponent = exponent_of((real > imaginary ? real : imaginary) * (1 + 0x1p-11));
    if (exponent <= -bias) return 0;
    const double units = power_of_two(11 - exponent);
    return static_cast<Stored>(exponent + bias) << 24 | rounded12(x.im * units) << 12 |
           rounded12(x.re * units);
  }

 private:
  static constexpr int bias = 128;
  static constexpr std::uint32_t no_number = 255;

  static WEFT_KERNEL double magnitude(double x) { return x < 0 ? -x : x; }
  static WEFT_KERNEL double power_of_two(int exponent) {
    return __builtin_bit_cast(double, static_cast<std::uint64_t>(exponent + 1023) << 52);
  }
  static WEFT_KERNEL int exponent_of(double x) {
    return static_cast<int>(__builtin_bit_cast(std::uint64_t, x) >> 52 & 0x7ff) - 1022;
  }
  static WEFT_KERNEL double signed12(std::uint32_t bits) {
    return static_cast<std::int32_t>(bits << 20) >> 20;
  }
  /// The nearest integer in two's complement: adding 1.5 * 2^52 leaves no bits for fractions.
  static WEFT_KERNEL std::uint32_t rounded12(double x) {
    return static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, x + 0x1.8p52)) & 0xfff;
  }
};

/// Calls body with the form of a complex number on a wire that is not exact.
template <class Body>
WEFT_KERNEL auto with_complex_form(Wire wire, Body&& body) {
  if (wire == Wire::single_) return body(TwoParts<PlainPart<float>>());
  if (wire == Wire::bfloat16) return body(TwoParts<BrainPart>());
  return body(SharedExponent());
}

/// The same for a real number, which has no `fixed12`.
template <class Body>
WEFT_KERNEL auto with_real_form(Wire wire, Body&& body) {
  if (wire == Wire::single_) return body(PlainPart<float>());
  return body(BrainPart());
}

}  // namespace weft
