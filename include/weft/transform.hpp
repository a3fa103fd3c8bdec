// What to compute: the shape, the kind of transform along each axis, the scale and the precision.
#pragma once

#include <string>
#include <vector>
#include <weft/axes.hpp>

namespace weft {

/// The 1-D transform along an axis. The definitions are NumPy's and SciPy's, unnormalised:
/// `c2c` y[k] = sum_j x[j] exp(-2 pi i j k / n) forward; `r2c` the same of real input, keeping the
/// n/2+1 modes that are not implied by y[n-k] = conj y[k]; `dct1` ... `dst4` as scipy.fft.dct/dst
/// (DCT-I needs n >= 2). `c2r` turns an r2c plan round: forward goes from the half spectrum to real
/// values with exp(+...), backward is r2c; Scale applies to the plan's own forward and backward.
/// `none` leaves the axis alone (a batch axis).
enum class Kind { none, c2c, r2c, c2r, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

/// The floating-point type of the arrays, as data.
enum class Precision { single_, double_ };

/// Where the factor 1/N goes (N: the product of the logical lengths, n for c2c and r2c, 2n for
/// DCT/DST II-IV, 2(n-1) for DCT-I, 2(n+1) for DST-I). Backward always undoes forward.
struct Scale {
  enum class Rule {
    backward,  ///< forward unscaled, backward 1/N (NumPy's default)
    ortho,     ///< 1/sqrt(N) both ways; DCT and DST are made orthogonal as scipy.fft does
    forward,   ///< forward 1/N, backward unscaled
    number     ///< forward times `factor`, backward times 1/(factor N)
  };
  Rule rule = Rule::backward;
  double factor = 1.0;  ///< used by Rule::number alone; finite and not zero
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// A multi-dimensional transform. `shape` is that of the physical array (the real one, for r2c and
/// c2r).
struct Transform {
  Shape shape;
  std::vector<Kind> kinds;  ///< one per axis
  Precision precision = Precision::double_;
  Scale scale;

  Transform() = default;
  /// The same kind along `axes` (all of them where empty; negative ones count from the end). For
  /// r2c and c2r the last of `axes` is halved and the others are c2c.
  Transform(const Shape& shape, Kind kind, const std::vector<int>& axes = {},
            Precision precision = Precision::double_);
  /// A kind for each axis: at most one r2c or c2r, and c2c not beside DCT/DST of real data. With
  /// Kind::none alone the plan redistributes real numbers, and scales them.
  Transform(const Shape& shape, std::vector<Kind> kinds, Precision precision = Precision::double_);

  /// The shape of the spectrum: n/2+1 along the r2c or c2r axis.
  Shape spectral_shape() const;
  /// True where the physical (spectral) array holds real numbers.
  bool physical_is_real() const;
  bool spectral_is_real() const;
  /// The product of the logical lengths of the transformed axes (see Scale).
  double logical_size() const;
};

/// Throws `Error` naming the first thing wrong: shape, kinds, lengths, scale.
void validate(const Transform& transform);

/// "c2c", "dct2", ...; parse_kind throws an Error that lists the valid names.
std::string to_string(Kind kind);
Kind parse_kind(const std::string& name);
/// "double", "float".
std::string to_string(Precision precision);
Precision parse_precision(const std::string& name);
/// "backward", "ortho", "forward" or the number.
std::string to_string(const Scale& scale);
Scale parse_scale(const std::string& text);

}  // namespace weft
