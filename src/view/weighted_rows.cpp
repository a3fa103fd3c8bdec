// Sums stay in registers over all rows of a few columns. Floats are widened as they are loaded:
// half the speed, but sums that are exact to double precision whatever the data.
#include "view/weighted_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "view/weighted_rows.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::ScalableTag<double>;
using WideVector = hn::Vec<Wide>;

HWY_INLINE WideVector load(const double* source) { return hn::LoadU(Wide(), source); }
HWY_INLINE WideVector load(const float* source) {
  return hn::PromoteTo(Wide(), hn::LoadU(hn::Rebind<float, Wide>(), source));
}

template <class Real>
const Real* row(const WeightedRows& rows, Index number) {
  return reinterpret_cast<const Real*>(rows.data + number * rows.stride);
}

template <class Real, bool Complex>
HWY_INLINE void add_four_vectors(const WeightedRows& rows, Index column, double* real_sums,
                                 double* imaginary_sums) {
  const Wide tag;
  const auto lanes = static_cast<Index>(hn::Lanes(tag));
  double* const to = real_sums + column;
  auto a0 = hn::LoadU(tag, to), a1 = hn::LoadU(tag, to + lanes);
  auto a2 = hn::LoadU(tag, to + 2 * lanes), a3 = hn::LoadU(tag, to + 3 * lanes);
  double* const other = Complex ? imaginary_sums + column : to;
  auto b0 = hn::LoadU(tag, other), b1 = hn::LoadU(tag, other + lanes);
  auto b2 = hn::LoadU(tag, other + 2 * lanes), b3 = hn::LoadU(tag, other + 3 * lanes);
  for (Index r = 0; r < rows.rows; ++r) {
    const Real* const from = row<Real>(rows, r) + column;
    const auto x0 = load(from), x1 = load(from + lanes);
    const auto x2 = load(from + 2 * lanes), x3 = load(from + 3 * lanes);
    const auto weight = hn::Set(tag, rows.real[r]);
    a0 = hn::MulAdd(weight, x0, a0), a1 = hn::MulAdd(weight, x1, a1);
    a2 = hn::MulAdd(weight, x2, a2), a3 = hn::MulAdd(weight, x3, a3);
    if constexpr (Complex) {
      const auto turned = hn::Set(tag, rows.imaginary[r]);
      b0 = hn::MulAdd(turned, x0, b0), b1 = hn::MulAdd(turned, x1, b1);
      b2 = hn::MulAdd(turned, x2, b2), b3 = hn::MulAdd(turned, x3, b3);
    }
  }
  hn::StoreU(a0, tag, to), hn::StoreU(a1, tag, to + lanes);
  hn::StoreU(a2, tag, to + 2 * lanes), hn::StoreU(a3, tag, to + 3 * lanes);
  if constexpr (!Complex) return;
  hn::StoreU(b0, tag, other), hn::StoreU(b1, tag, other + lanes);
  hn::StoreU(b2, tag, other + 2 * lanes), hn::StoreU(b3, tag, other + 3 * lanes);
}

template <class Real, bool Complex>
void add_rows(const WeightedRows& rows, double* real_sums, double* imaginary_sums) {
  const auto step = 4 * static_cast<Index>(hn::Lanes(Wide()));
  Index column = 0;
  for (; column + step <= rows.reals; column += step)
    add_four_vectors<Real, Complex>(rows, column, real_sums, imaginary_sums);
  for (; column < rows.reals; ++column)
    for (Index r = 0; r < rows.rows; ++r) {
      const double value = row<Real>(rows, r)[column];
      real_sums[column] += rows.real[r] * value;
      if constexpr (Complex) imaginary_sums[column] += rows.imaginary[r] * value;
    }
}

void AddRows(const WeightedRows& rows, Precision precision, double* real_sums,
             double* imaginary_sums) {
  const bool is_double = precision == Precision::double_;
  const auto add = rows.imaginary != nullptr
                       ? (is_double ? add_rows<double, true> : add_rows<float, true>)
                       : (is_double ? add_rows<double, false> : add_rows<float, false>);
  add(rows, real_sums, imaginary_sums);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(AddRows);

void add_weighted_rows(const WeightedRows& rows, Precision precision, double* real_sums,
                       double* imaginary_sums) {
  HWY_DYNAMIC_DISPATCH(AddRows)(rows, precision, real_sums, imaginary_sums);
}

}  // namespace weft
#endif
