// The SIMD loop of weighted sums: adds up rows of a cached tile column by column, so that a vector
// of numbers costs one or two multiplications.
#pragma once

#include <complex>

#include "view/view.hpp"

namespace weft {

/// Rows of `reals` numbers each, `stride` bytes apart, with a weight for each row; `imaginary` is
/// null if the weights of rows are real. All weights are multiplied by `factor`.
struct WeightedRows {
  const std::byte* data = nullptr;
  Index stride = 0;
  Index rows = 0;
  Index reals = 0;
  const double* real = nullptr;
  const double* imaginary = nullptr;
  std::complex<double> factor = 1;
};

/// real_sums[c] += sum_r Re(factor weight[r]) x[r][c], and imaginary_sums[c] the same with Im;
/// without imaginary_sums, the weights and the factor must be real.
void add_weighted_rows(const WeightedRows& rows, Precision precision, double* real_sums,
                       double* imaginary_sums);

}  // namespace weft
