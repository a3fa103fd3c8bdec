// One row for each 1-D transform: the sum that defines it. Everything else follows from the row:
// logical length, orthogonal end weights, wavenumbers, grid points.
// Normalisation is left to the callers, who scale once for all axes.
#pragma once

#include <string>
#include <vector>
#include <weft/transform.hpp>

namespace weft {

/// A 1-D transform as an engine runs it: a Kind together with a direction.
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

/// y[k] = sum_j count(j) x[j] wave(2 pi (a j + b) (c k + d) / period(n)) over the n points of a
/// line. In a sum of cosines or sines, each x[j] counts twice, except an end with first_once or
/// last_once.
struct LineSum {
  enum class Wave { forward, backward, cosine, sine };  // exp(-i ...), exp(+i ...), cos, sin

  const char* name;
  LineKind inverse;
  Wave wave;
  Index a, b, c, d;
  Index per_length, more;  // period(n) = per_length n + more
  bool first_once = false;
  bool last_once = false;

  Index period(Index length) const { return per_length * length + more; }
  bool is_exponential() const { return wave == Wave::forward || wave == Wave::backward; }
};
const LineSum& line_sum(LineKind kind);

/// From the physical array to its spectrum, or back. For kind c2r the plan's forward direction is
/// synthesis, with exp(+...), like r2c's backward.
enum class Sense { analysis, synthesis };

/// The line transform of an axis.
LineKind line_kind(Kind kind, Sense sense);

/// Throws unless lines of that length have the kind.
void require_length(Kind kind, Index length, int axis);

/// The factor of this axis in the N of Scale; 1 if the axis is not transformed.
double logical_length(Kind kind, Index length);

/// Factors for the first and last element of a line, before and after the transform. They make the
/// DCT and DST orthogonal like SciPy's norm="ortho" (scipy.fft.dct, parameter `orthogonalize`).
struct EndWeights {
  double first_in = 1, last_in = 1, first_out = 1, last_out = 1;
  bool trivial() const { return first_in == 1 && last_in == 1 && first_out == 1 && last_out == 1; }
};
EndWeights orthogonal_weights(LineKind kind);

/// The offset that turns index k of a spectrum along that axis into its wavenumber, in periods, or
/// in half periods between walls. 1 for the DST of type I and II, 1/2 for DCT and DST of type III
/// and IV.
double wave_offset(Kind kind);

/// The factor of k + wave_offset that gives angular wavenumbers: 2 pi / length, and pi / length
/// between walls; 0 if the axis is not transformed.
double wave_unit(Kind kind, double length);

/// Throws unless each transformed axis has a positive length, and every other axis some number.
void require_lengths(const Transform& transform, const std::vector<double>& lengths);

/// Throws if an element of the spectrum stands for two modes that the operation `name` would have
/// to treat differently. They are wavenumbers 0 and n/2 along an r2c_packed axis.
void require_one_mode_each(const std::vector<Kind>& kinds, const std::string& name);

/// A DCT or DST.
bool is_trigonometric(LineKind kind);
bool is_trigonometric(Kind kind);

/// r2c, c2r and r2c_packed: the spectral axis is halved and the physical array is real.
bool is_half_complex(Kind kind);

std::string to_string(LineKind kind);

}  // namespace weft
