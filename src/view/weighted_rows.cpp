// Sums stay in registers over all rows of a few columns. Floats are widened as they are loaded:
// half the speed, but sums that are exact to double precision whatever the data.
#include "view/weighted_rows.hpp"

#include "kernel/instruction_sets.hpp"

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

/// The lanes from `first` on.
HWY_INLINE WideVector from_lane(WideVector value, Index first) {
  const Wide tag;
  const auto before = hn::FirstN(tag, static_cast<std::size_t>(first));
  return hn::IfThenElse(before, hn::Zero(tag), value);
}
HWY_INLINE void add_to(double* sums, WideVector value) {
  hn::StoreU(hn::Add(hn::LoadU(Wide(), sums), value), Wide(), sums);
}

template <class Real>
const Real* row(const WeightedRows& rows, Index number) {
  return reinterpret_cast<const Real*>(rows.data + number * rows.stride);
}

/// The first `known` columns of these vectors are in the sums already.
template <class Real, bool Complex, int Vectors>
HWY_INLINE void add_vectors(const WeightedRows& rows, Index column, Index known,
                            const ColumnSums& sums) {
  const Wide tag;
  const auto lanes = static_cast<Index>(hn::Lanes(tag));
  WideVector real[Vectors], imaginary[Vectors];
  for (int v = 0; v < Vectors; ++v) real[v] = imaginary[v] = hn::Zero(tag);
  for (Index r = 0; r < rows.rows; ++r) {
    const Real* const from = row<Real>(rows, r) + column;
    const auto weight = hn::Set(tag, rows.real[r]);
    const auto turned = hn::Set(tag, Complex ? rows.imaginary[r] : 0);
    for (int v = 0; v < Vectors; ++v) {
      const auto value = load(from + v * lanes);
      real[v] = hn::MulAdd(weight, value, real[v]);
      if constexpr (Complex) imaginary[v] = hn::MulAdd(turned, value, imaginary[v]);
    }
  }
  const auto factor = hn::Set(tag, rows.factor.real()), turn = hn::Set(tag, rows.factor.imag());
  for (int v = 0; v < Vectors; ++v) {
    const Index place = column + v * lanes;
    auto sum = hn::Mul(factor, real[v]);
    if constexpr (Complex) sum = hn::NegMulAdd(turn, imaginary[v], sum);
    sum = from_lane(sum, known);
    auto square = hn::Mul(sum, sum);
    add_to(sums.real + place, sum);
    if (sums.imaginary != nullptr) {
      auto other = hn::Mul(turn, real[v]);
      if constexpr (Complex) other = hn::MulAdd(factor, imaginary[v], other);
      other = from_lane(other, known);
      square = hn::MulAdd(other, other, square);
      add_to(sums.imaginary + place, other);
    }
    add_to(sums.squares + place, square);
  }
}

template <class Real, bool Complex>
void add_rows(const WeightedRows& rows, const ColumnSums& sums) {
  const auto lanes = static_cast<Index>(hn::Lanes(Wide()));
  Index column = 0;
  for (; column + 4 * lanes <= rows.reals; column += 4 * lanes)
    add_vectors<Real, Complex, 4>(rows, column, 0, sums);
  for (; column + lanes <= rows.reals; column += lanes)
    add_vectors<Real, Complex, 1>(rows, column, 0, sums);
  if (column == rows.reals) return;
  if (rows.reals >= lanes) {
    const Index last = rows.reals - lanes;
    return add_vectors<Real, Complex, 1>(rows, last, column - last, sums);
  }
  for (; column < rows.reals; ++column) {
    std::complex<double> sum = 0;
    for (Index r = 0; r < rows.rows; ++r)
      sum += static_cast<double>(row<Real>(rows, r)[column]) *
             std::complex<double>(rows.real[r], Complex ? rows.imaginary[r] : 0);
    sum *= rows.factor;
    sums.real[column] += sum.real();
    if (sums.imaginary != nullptr) sums.imaginary[column] += sum.imag();
    sums.squares[column] += std::norm(sum);
  }
}

void AddRows(const WeightedRows& rows, Precision precision, const ColumnSums& sums) {
  const bool is_double = precision == Precision::double_;
  const auto add = rows.imaginary != nullptr
                       ? (is_double ? add_rows<double, true> : add_rows<float, true>)
                       : (is_double ? add_rows<double, false> : add_rows<float, false>);
  add(rows, sums);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(AddRows);

void add_weighted_rows(const WeightedRows& rows, Precision precision, const ColumnSums& sums) {
  HWY_DYNAMIC_DISPATCH(AddRows)(rows, precision, sums);
}

}  // namespace weft
#endif
