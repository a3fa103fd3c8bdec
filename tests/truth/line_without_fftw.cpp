// Stands in for line_by_fftw.cpp where FFTW lacks a precision: long lines then have no truth.
#include "truth/line_by_fftw.hpp"

namespace weft::test {

bool have_lines_by_fftw() { return false; }

template <class Real>
std::vector<std::complex<Real>> line_by_fftw(LineKind, std::vector<std::complex<Real>>, Index) {
  return {};
}
template std::vector<std::complex<float>> line_by_fftw(LineKind, std::vector<std::complex<float>>,
                                                       Index);
template std::vector<std::complex<double>> line_by_fftw(LineKind, std::vector<std::complex<double>>,
                                                        Index);
template std::vector<std::complex<long double>> line_by_fftw(LineKind,
                                                             std::vector<std::complex<long double>>,
                                                             Index);

}  // namespace weft::test
