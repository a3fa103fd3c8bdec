// Numbers stay in pairs: a shuffle for each product costs less than taking the parts of a line
// apart and together again.
#include "kernel/complex_products.hpp"

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

template <class Real, bool HasSecond>
void multiply_reals(Real* line, const Real* first, const Real* second, Index reals) {
  Index place = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<Real> tag;
  const auto lanes = static_cast<Index>(hn::Lanes(tag));
  for (; place + lanes <= reals; place += lanes) {
    auto factor = hn::LoadU(tag, first + place);
    if constexpr (HasSecond) factor = times(tag, factor, hn::LoadU(tag, second + place));
    hn::StoreU(times(tag, hn::LoadU(tag, line + place), factor), tag, line + place);
  }
#endif
  using Number = std::complex<Real>;
  for (; place < reals; place += 2) {
    Number factor{first[place], first[place + 1]};
    if constexpr (HasSecond) factor *= Number{second[place], second[place + 1]};
    const Number product = Number{line[place], line[place + 1]} * factor;
    line[place] = product.real();
    line[place + 1] = product.imag();
  }
}

template <class Real>
void multiply(std::byte* line, const std::byte* first, const std::byte* second, Index count) {
  const auto reals = [](auto* bytes) { return reinterpret_cast<const Real*>(bytes); };
  Real* const changed = reinterpret_cast<Real*>(line);
  if (second != nullptr)
    multiply_reals<Real, true>(changed, reals(first), reals(second), 2 * count);
  else
    multiply_reals<Real, false>(changed, reals(first), nullptr, 2 * count);
}

void MultiplyLine(std::byte* line, const std::byte* first, const std::byte* second, Index count,
                  Precision precision) {
  const auto product = precision == Precision::double_ ? multiply<double> : multiply<float>;
  product(line, first, second, count);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(MultiplyLine);

void multiply_line(std::byte* line, const std::byte* first, const std::byte* second, Index count,
                   Precision precision) {
  HWY_DYNAMIC_DISPATCH(MultiplyLine)(line, first, second, count, precision);
}

}  // namespace weft
#endif
