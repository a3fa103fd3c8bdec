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

/// The sums of rows by column, which `add_weighted_rows` adds to.
struct ColumnSums {
  double* real = nullptr;       ///< sum_r Re(factor weight[r]) x[r][c]
  double* imaginary = nullptr;  ///< the same with Im; null if the weights and the factor are real
  double* squares = nullptr;    ///< the sum of both squares, of the rows of each call together
};

void add_weighted_rows(const WeightedRows& rows, Precision precision, const ColumnSums& sums);

}  // namespace weft
