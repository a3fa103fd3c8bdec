// Copies that convert between an element and its shorter form for the wire, one element at a time
// and without explicit SIMD: a network slow enough to need shorter elements is slower than this.
#include <cstring>

#include "device_kernel/wire_forms.hpp"
#include "view/copy_kernels.hpp"

namespace weft {
namespace {

double scaled(double value, double factor) { return value * factor; }

template <class From, class To>
struct Convert {
  static constexpr Index from_bytes = sizeof(typename From::Stored);
  static constexpr Index to_bytes = sizeof(typename To::Stored);
  static void element(const std::byte* from, std::byte* to, double factor) {
    typename From::Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    const auto sent = To::encode(scaled(From::decode(stored), factor));
    std::memcpy(to, &sent, sizeof sent);
  }
  static void rows(const std::byte* source, Index source_stride, std::byte* target,
                   Index target_stride, Index rows, Index columns, double factor) {
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c)
        element(source + r * source_stride + c * from_bytes,
                target + r * target_stride + c * to_bytes, factor);
  }
  static void transposed(const std::byte* source, Index source_stride, std::byte* target,
                         Index target_stride, Index rows, Index columns, double factor) {
    for (Index c = 0; c < columns; ++c)
      for (Index r = 0; r < rows; ++r)
        element(source + r * source_stride + c * from_bytes,
                target + c * target_stride + r * to_bytes, factor);
  }
};

template <class From, class To>
CopyKernels kernels() {
  using Both = Convert<From, To>;
  return {Both::rows, Both::rows, Both::transposed, Both::transposed};
}

template <class Real, class Body>
CopyKernels with_complex(Wire wire, Body&& body) {
  if (wire == Wire::exact) return body(TwoParts<PlainPart<Real>>());
  return with_complex_form(wire, body);
}

template <class Real, class Body>
CopyKernels with_real(Wire wire, Body&& body) {
  if (wire == Wire::exact) return body(PlainPart<Real>());
  return with_real_form(wire, body);
}

template <class Real>
CopyKernels kernels_between(const Element& from, const Element& to) {
  const auto complex = [&](auto source) {
    return with_complex<Real>(
        to.wire, [](auto target) { return kernels<decltype(source), decltype(target)>(); });
  };
  const auto real = [&](auto source) {
    return with_real<Real>(
        to.wire, [](auto target) { return kernels<decltype(source), decltype(target)>(); });
  };
  return from.real ? with_real<Real>(from.wire, real) : with_complex<Real>(from.wire, complex);
}

}  // namespace

CopyKernels copy_kernels(const Element& from, const Element& to, Scaling scaling) {
  if (from == to && from.wire == Wire::exact) return copy_kernels(from, scaling);
  return from.precision == Precision::double_ ? kernels_between<double>(from, to)
                                              : kernels_between<float>(from, to);
}

}  // namespace weft
