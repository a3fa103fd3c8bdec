// FFTW-MPI itself, which nothing in the tests is linked to.
#pragma once

namespace weft::test {

/// The address of "fftw_" or "fftwf_" + name in the libfftw3_mpi for this MPI; null where there is
/// none.
void* find_in_real_library(const char* name);

}  // namespace weft::test
