// Transforms one line by a kind's definition, summed in long double. This takes n^2 steps, so it
// serves lines of up to some thousand elements.
#pragma once

#include <complex>
#include <vector>

#include "transform/kinds.hpp"

namespace weft::test {

/// Unscaled. Real lines have no imaginary parts; DCT and DST transform both parts alike. `length`:
/// of the real side for r2c and c2r; the imaginary parts of c2r's first and highest mode do not
/// count.
std::vector<std::complex<long double>> line_by_definition(
    LineKind kind, const std::vector<std::complex<double>>& line, Index length);

}  // namespace weft::test
