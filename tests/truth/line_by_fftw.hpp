// One line transformed by FFTW in any precision: in long double the truth for long lines, in the
// other precisions a reference for Weft.
#pragma once

#include <complex>
#include <vector>

#include "transform/kinds.hpp"

namespace weft::test {

template <class Real>
using ComplexLine = std::vector<std::complex<Real>>;

/// Whether the tests were built with FFTW in all three precisions.
bool have_lines_by_fftw();

/// As line_by_definition(), for float, double and long double; empty without FFTW. The first and
/// the highest mode of c2r must be real.
template <class Real>
ComplexLine<Real> line_by_fftw(LineKind kind, ComplexLine<Real> line, Index length);

}  // namespace weft::test
