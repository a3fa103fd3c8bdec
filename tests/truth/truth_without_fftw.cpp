// Stands in for truth_fftw.cpp where the machine has no FFTW: long lines then have no truth.
#include "truth/truth_lines.hpp"

namespace weft::test {

bool have_fftw() { return false; }

std::unique_ptr<LineTruth> fftw_line(const AxisTransform&) { return nullptr; }

}  // namespace weft::test
