// The SIMD loop of weighted sums: adds up rows of a cached tile column by column, so that a vector
// of numbers costs one or two multiplications.
#pragma once

#include "view/view.hpp"

namespace weft {

/// Rows of `reals` numbers each, `stride` bytes apart, with a weight for each row; `imaginary` is
/// null if all weights are real.
struct WeightedRows {
  const std::byte* data = nullptr;
  Index stride = 0;
  Index rows = 0;
  Index reals = 0;
  const double* real = nullptr;
  const double* imaginary = nullptr;
};

/// real_sums[c] += sum_r real[r] x[r][c], and the same with the imaginary parts.
void add_weighted_rows(const WeightedRows& rows, Precision precision, double* real_sums,
                       double* imaginary_sums);

}  // namespace weft
