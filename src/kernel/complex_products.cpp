// Numbers stay in pairs: a shuffle for each product costs less than taking the parts of a line
// apart and together again.
#include "kernel/complex_products.hpp"

#include <algorithm>
#include <complex>

#include "kernel/instruction_sets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/complex_products.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR  // which has no pairs
/// Products of complex numbers whose parts lie side by side.
template <class Tag, class Vector>
HWY_INLINE Vector times(Tag tag, Vector x, Vector factor) {
  const auto real = hn::DupEven(factor), imaginary = hn::DupOdd(factor);
  const auto scaled = hn::Mul(real, x), swapped = hn::Reverse2(tag, x);
  return hn::OddEven(hn::MulAdd(imaginary, swapped, scaled),
                     hn::NegMulAdd(imaginary, swapped, scaled));
}
#endif

/// line[k] *= row[k] factor.
template <class Real>
void multiply_part(Real* line, const Real* row, std::complex<Real> factor, Index reals) {
  Index place = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<Real> tag;
  const auto lanes = static_cast<Index>(hn::Lanes(tag));
  const auto both = hn::OddEven(hn::Set(tag, factor.imag()), hn::Set(tag, factor.real()));
  for (; place + lanes <= reals; place += lanes) {
    const auto product = times(tag, hn::LoadU(tag, row + place), both);
    hn::StoreU(times(tag, hn::LoadU(tag, line + place), product), tag, line + place);
  }
#endif
  using Number = std::complex<Real>;
  for (; place < reals; place += 2) {
    const Number product =
        Number{line[place], line[place + 1]} * (Number{row[place], row[place + 1]} * factor);
    line[place] = product.real();
    line[place + 1] = product.imag();
  }
}

template <class Real>
void multiply(std::byte* line, const std::byte* factors, Index fine, Index count) {
  auto* const numbers = reinterpret_cast<std::complex<Real>*>(line);
  const auto* const row = reinterpret_cast<const std::complex<Real>*>(factors);
  for (Index begin = 0, part = 0; begin < count; begin += fine, ++part)
    multiply_part(reinterpret_cast<Real*>(numbers + begin), reinterpret_cast<const Real*>(row),
                  row[fine + part], 2 * std::min(fine, count - begin));
}

void MultiplyLine(std::byte* line, const std::byte* factors, Index fine, Index count,
                  Precision precision) {
  const auto product = precision == Precision::double_ ? multiply<double> : multiply<float>;
  product(line, factors, fine, count);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(MultiplyLine);

void multiply_line(std::byte* line, const std::byte* factors, Index fine, Index count,
                   Precision precision) {
  HWY_DYNAMIC_DISPATCH(MultiplyLine)(line, factors, fine, count, precision);
}

}  // namespace weft
#endif
