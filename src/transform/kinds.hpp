// What each kind is along one line: its inverse, its logical length, its orthogonal end weights.
#pragma once

#include <weft/transform.hpp>

namespace weft {

/// A 1-D transform as an engine runs it: Kind with its direction resolved.
enum class LineKind {
  c2c_forward,
  c2c_backward,
  r2c,
  c2r,
  dct1,
  dct2,
  dct3,
  dct4,
  dst1,
  dst2,
  dst3,
  dst4
};

/// The line transform of an axis: from physical to spectral (analysis), or back.
/// For kind c2r the plan's forward is synthesis: exp(+...), as it is for r2c's backward.
LineKind line_kind(Kind kind, bool analysis);

/// The N of Scale along one axis; 1 where the axis is not transformed.
double logical_length(Kind kind, Index length);

/// Factors on the first and last element of a line, before and after, that make SciPy's
/// norm="ortho" DCT and DST orthogonal (scipy.fft.dct, parameter `orthogonalize`).
struct EndWeights {
  double first_in = 1, last_in = 1, first_out = 1, last_out = 1;
  bool trivial() const { return first_in * last_in * first_out * last_out == 1; }
};
EndWeights orthogonal_weights(LineKind kind);

bool is_trigonometric(LineKind kind);

/// r2c and its like: the axis is halved, and the physical array real.
bool is_half_complex(Kind kind);

std::string to_string(LineKind kind);

}  // namespace weft
