// FFTW's names of the DCT and DST, by type, cosines first: the order of Weft's lists of kinds.
#pragma once

#include <fftw3.h>

#include <array>

namespace weft::test {

inline constexpr std::array fftw_kinds{FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11,
                                       FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};

}  // namespace weft::test
