// Stands in for line_by_fftw.cpp where FFTW lacks a precision: long lines then have no truth.
#include "truth/line_by_fftw.hpp"

namespace weft::test {

bool have_lines_by_fftw() { return false; }

template <class Real>
ComplexLine<Real> line_by_fftw(LineKind, ComplexLine<Real>, Index) {
  return {};
}
template ComplexLine<float> line_by_fftw(LineKind, ComplexLine<float>, Index);
template ComplexLine<double> line_by_fftw(LineKind, ComplexLine<double>, Index);
template ComplexLine<long double> line_by_fftw(LineKind, ComplexLine<long double>, Index);

}  // namespace weft::test
