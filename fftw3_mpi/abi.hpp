// FFTW's binary interface as far as the drop-in meets it, declared here so that building needs no
// FFTW. Each of the two libraries compiles all sources for one precision.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <type_traits>

/// Marks the functions that take the place of FFTW's.
#define WEFT_FFTW_API extern "C" __attribute__((visibility("default")))

/// The name that a function of FFTW has in this precision.
#ifdef WEFT_FFTW_SINGLE
#define WEFT_FFTW(name) fftwf_##name
#else
#define WEFT_FFTW(name) fftw_##name
#endif

namespace weft::fftw {

#ifdef WEFT_FFTW_SINGLE
using Real = float;
#else
using Real = double;
#endif
using Complex = Real[2];
/// Lengths, blocks and counts, as FFTW has them.
using Size = std::ptrdiff_t;
/// A plan, which programs hold without knowing its contents.
using PlanPointer = struct OpaquePlan*;
/// FFTW's names of 1-D transforms of real numbers.
enum R2rKind : int {
  r2hc,
  hc2r,
  dht,
  redft00,
  redft01,
  redft10,
  redft11,
  rodft00,
  rodft01,
  rodft10,
  rodft11
};

/// Bits of `flags` that change what a plan computes or whether there is one. All others say how
/// FFTW searches and may be ignored.
enum Flags : unsigned {
  wisdom_only = 1U << 21,
  scrambled_in = 1U << 27,
  scrambled_out = 1U << 28,
  transposed_in = 1U << 29,
  transposed_out = 1U << 30
};

/// The prefix of FFTW 3's names in this precision.
inline const std::string prefix = std::is_same_v<Real, double> ? "fftw" : "fftwf";

}  // namespace weft::fftw
