// A transform as programs describe it to FFTW-MPI, and its translation into Weft's terms.
#pragma once

#include <optional>
#include <vector>
#include <weft/weft.hpp>

#include "distribution.hpp"

namespace weft::fftw {

/// The arguments of a planning function of FFTW-MPI.
struct Problem {
  std::vector<Size> shape;  ///< of the physical array
  /// One per axis; Kind::none for all: a transpose. Empty: a transform that Weft does not have.
  std::vector<Kind> kinds;
  Size howmany = 1;       ///< numbers that lie together at each point, transformed independently
  Size input_block = 0;   ///< 0: FFTW's default
  Size output_block = 0;  ///< 0: FFTW's default
  int sign = -1;          ///< of the exponent, for complex arrays
  unsigned flags = 0;
};

/// The same problem in Weft's terms.
struct Translation {
  Transform transform;
  Layout input;  ///< of the program's input, whichever side of Weft's plan that is
  Layout output;
  ElementType input_type;
  ElementType output_type;
  Direction direction = Direction::forward;
  Size allocation = 0;  ///< real numbers that FFTW wants room for
};

/// The kinds of Weft's plan; none where one of FFTW's has no counterpart.
std::vector<Kind> kinds_of(int rank, const R2rKind* kinds);

/// Throws an Error that says why Weft does not compute this.
Translation translate(const Problem& problem, int ranks, int rank);

/// "r2c 64x64x64 of 3, transposed out".
std::string to_string(const Problem& problem);

}  // namespace weft::fftw
