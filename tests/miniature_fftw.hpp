// A stand-in for FFTW's library that can be told to err: what Weft opens by that name in programs
// that link it. Slow, and complex numbers in double precision are all it has.
#pragma once

extern "C" {

/// From now on the first number of so many transforms in this process is wrong: -1 for all to come.
void miniature_fftw_errs(int transforms);
}
