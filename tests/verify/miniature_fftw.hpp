// A stand-in for FFTW's library that can be told to err: what Weft opens by that name in programs
// that link it. Slow, and transforms of complex and real numbers in double precision are all it
// has.
#pragma once

extern "C" {

/// How many transforms this process has run.
int miniature_fftw_transforms();
/// After so many transforms that are right, the first number of so many is wrong: -1 for all to
/// come.
void miniature_fftw_errs(int after, int number);
/// Calls this before the next transform.
void miniature_fftw_pauses(void (*call)());
}
