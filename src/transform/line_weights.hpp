// Weights for a line whose weighted sum equals a given weighted sum of the line's transform. They
// certify a transform without knowing its data, and are independent of the engines in order to find
// their errors.
#pragma once

#include <complex>
#include <vector>

#include "transform/kinds.hpp"

namespace weft {

/// The sums at frequencies p = 0 to L - 1 of values[q] exp(sign 2 pi i p q / L), L = values.size(),
/// for any L.
std::vector<std::complex<double>> fourier_sums(const std::vector<std::complex<double>>& values,
                                               int sign);

/// The factor of element `from` of a line in element `to` of its unscaled transform; for c2r, only
/// the real part of the product counts. `length`: of the physical side.
std::complex<double> line_entry(LineKind kind, Index length, Index from, Index to);

/// The weights a with sum_j a[j] x[j] = sum_k weights[k] y[k] for every line x and its unscaled
/// transform y. For c2r only the real parts are equal. `length`: of the physical side.
std::vector<std::complex<double>> transposed_line(LineKind kind, Index length,
                                                  const std::vector<std::complex<double>>& weights);

}  // namespace weft
