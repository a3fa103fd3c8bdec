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

/// line[k] *= first[k] second[k].
template <class Real>
void multiply_whole(Real* line, const Real* first, const Real* second, Index reals) {
  Index place = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<Real> tag;
  const auto lanes = static_cast<Index>(hn::Lanes(tag));
  for (; place + lanes <= reals; place += lanes) {
    const auto product = times(tag, hn::LoadU(tag, first + place), hn::LoadU(tag, second + place));
    hn::StoreU(times(tag, hn::LoadU(tag, line + place), product), tag, line + place);
  }
#endif
  for (; place < reals; place += 2)
    multiply_part(line + place, first + place, std::complex<Real>{second[place], second[place + 1]},
                  2);
}

template <class Real>
void multiply(std::byte* line, const FactorRows& rows, Index count) {
  Real* const reals = reinterpret_cast<Real*>(line);
  const Real* const first = reinterpret_cast<const Real*>(rows.first);
  const Real* const second = reinterpret_cast<const Real*>(rows.second);
  if (rows.part == 0) return multiply_whole(reals, first, second, 2 * count);
  for (Index begin = 0, part = 0; begin < count; begin += rows.part, ++part)
    multiply_part(reals + 2 * begin, first,
                  std::complex<Real>{second[2 * part], second[2 * part + 1]},
                  2 * std::min(rows.part, count - begin));
}

void MultiplyLine(std::byte* line, const FactorRows& rows, Index count, Precision precision) {
  const auto product = precision == Precision::double_ ? multiply<double> : multiply<float>;
  product(line, rows, count);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(MultiplyLine);

void multiply_line(std::byte* line, const FactorRows& rows, Index count, Precision precision) {
  HWY_DYNAMIC_DISPATCH(MultiplyLine)(line, rows, count, precision);
}

}  // namespace weft
#endif
