// The functions of the FFTW that this library stands in front of, found at run time: Weft neither
// needs FFTW nor contains it.
#pragma once

#include "abi.hpp"

namespace weft::fftw {

/// The address of "fftw_" (or "fftwf_") + name: in the libraries that the program loads after this
/// one, else in libfftw3_mpi or libfftw3, where one is found that was built for this MPI. Null
/// where there is none.
void* find_real(const char* name);

/// Whether programs call this library's functions for plans: false where FFTW comes before it, and
/// would be given plans that it does not know.
bool is_in_front();

/// Ends the job, because FFTW is needed for `what` and was not found.
[[noreturn]] void end_without_real(const std::string& what);

/// FFTW's function of the same type as `ours`; null where there is none.
template <class Function>
Function* real(Function* /*ours*/, const char* name) {
  return reinterpret_cast<Function*>(find_real(name));
}

/// The same, or the end of the job.
template <class Function>
Function* real_or_end(Function* ours, const char* name) {
  Function* const found = real(ours, name);
  if (!found) end_without_real(name);
  return found;
}

}  // namespace weft::fftw
