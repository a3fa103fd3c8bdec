// The transform to compute: its shape, the kind along each axis, the scale and the precision.
#pragma once

#include <string>
#include <vector>
#include <weft/axes.hpp>
#include <weft/export.hpp>

namespace weft {

/// The 1-D transform along an axis. The definitions are NumPy's and SciPy's, unnormalised: `c2c`
/// y[k] = sum_j x[j] exp(-2 pi i j k / n) forward; `r2c` the same of real input, keeping the n/2+1
/// modes that are not implied by y[n-k] = conj y[k]; `dct1` ... `dst4` as scipy.fft.dct/dst (DCT-I
/// needs n >= 2). `c2r` is an r2c plan with its directions exchanged: forward goes from the half
/// spectrum to real values with exp(+...), and backward is r2c. The other axes go the same way.
/// Scale applies to the plan's own forward and backward. `none` does not transform the axis (a
/// batch axis). `r2c_packed` (even n) is r2c stored in n/2 complex numbers, which split evenly over
/// the ranks. The first is F[0] + i F[n/2]: both are real for a line of real numbers. In several
/// dimensions this plane is P(k) = F(0, k) + i F(n/2, k), where k are the other axes' modes;
/// Plan::unpack_plane splits it.
enum class Kind { none, c2c, r2c, c2r, r2c_packed, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

/// The floating-point type of the arrays, as data.
enum class Precision { single_, double_ };

/// Where the factor 1/N goes (N: the product of the logical lengths, n for c2c and r2c, 2n for
/// DCT/DST II-IV, 2(n-1) for DCT-I, 2(n+1) for DST-I). Backward always undoes forward.
struct Scale {
  /// The named conventions, and one for any other factor.
  enum class Rule {
    backward,  ///< forward unscaled, backward 1/N (NumPy's default)
    ortho,     ///< 1/sqrt(N) both ways; DCT and DST are made orthogonal as scipy.fft does
    forward,   ///< forward 1/N, backward unscaled
    number     ///< forward times `factor`, backward times 1/(factor N)
  };
  Rule rule = Rule::backward;  ///< which convention
  double factor = 1.0;         ///< used only by Rule::number; finite and not zero
  /// Equal if rule and factor are equal.
  friend bool operator==(const Scale&, const Scale&) = default;
};

/// Which modes of an axis the spectrum keeps, by wavenumber: k = -(n-1)/2 ... n/2 of a complex
/// transform of n points, 0 ... n/2 of a halved axis (each stands for k and -k), 0 ... n-1 of a
/// DCT or DST. The other modes are zero: they are never packed, sent or transformed further.
struct Modes {
  /// The wavenumbers from first to last, both included.
  struct Range {
    Index first = 0;  ///< the lowest
    Index last = 0;   ///< the highest
    /// Equal if both ends are equal.
    friend bool operator==(const Range&, const Range&) = default;
  };
  std::vector<Range> ranges;  ///< empty: all
  Index grid = 0;             ///< if not 0: the modes of a grid with this many points

  /// |k| <= largest: up_to(n / 3) is the 2/3 rule (Orszag, J. Atmos. Sci. 28, 1971).
  static Modes up_to(Index largest) { return {{{-largest, largest}}, 0}; }
  /// A spectrum of `points` points per axis beside a finer physical grid: dealiasing by padding,
  /// the 3/2 rule. If `points` is even, its Nyquist mode stands for both modes +-points/2. On the
  /// way to the grid each of them gets half of it; on the way back it is their sum.
  static Modes of_grid(Index points) { return {{}, points}; }
  /// Equal if ranges and grid are equal; different ranges may keep the same modes.
  friend bool operator==(const Modes&, const Modes&) = default;
};

/// How the spectrum represents modes that are not kept. `absent`: it is a smaller array, spread
/// evenly over the ranks. `zero`: it has the full shape and layout, with zeros in their places
/// (which backward does not read).
enum class Dropped { absent, zero };

/// A plan's forward goes from its input to its output, backward the other way round.
enum class Direction { forward, backward };
/// The two ends of a plan.
enum class Side { input, output };

/// The type of an array's elements if it is known only at run time: float, double, complex numbers
/// of these, or anything else of a few bytes.
struct ElementType {
  Precision precision = Precision::double_;  ///< of each real number
  bool real = false;                         ///< false: complex numbers
  int plain_bytes = 0;  ///< of elements that are no such numbers, for example integers; 0: numbers
  /// The bytes of an element.
  int bytes() const {
    const int number = precision == Precision::double_ ? 8 : 4;
    return plain_bytes > 0 ? plain_bytes : real ? number : 2 * number;
  }
  /// The same elements.
  friend bool operator==(const ElementType&, const ElementType&) = default;
};

/// A multi-dimensional transform. `shape` is the shape of the physical array (for r2c and c2r, the
/// real array).
struct WEFT_API Transform {
  Shape shape;              ///< slowest axis first, 1 to max_axes of them, each length 1 or more
  std::vector<Kind> kinds;  ///< one per axis
  /// The precision of both arrays.
  Precision precision = Precision::double_;
  Scale scale;               ///< where 1/N goes
  std::vector<Modes> modes;  ///< one per axis; empty: all of them on every axis
  /// A radius for each axis, in wavenumbers. Modes are dropped if the sum of (k / radius)^2 over
  /// the axes with radius > 0 exceeds 1. Whole columns are dropped before they are sent. Two or
  /// three axes may have a radius; empty: no axis has one.
  std::vector<double> ellipse;
  Dropped dropped = Dropped::absent;  ///< how the spectrum represents dropped modes
  /// If all kinds are Kind::none: the bytes of an element, 1, 2, 4, 8 or 16, which the plan moves
  /// as it is, whatever its type: integers, booleans, complex numbers. Nothing is scaled, certified
  /// or sent in a short form. 0: real numbers of `precision`.
  int element_bytes = 0;

  /// An empty transform; making a plan of it is an Error.
  Transform() = default;
  /// The same kind along `axes` (all axes if empty; negative ones count from the end). For
  /// r2c and c2r the last of `axes` is halved and the others are c2c. Wrong axes are an Error here,
  /// on the rank that names them; all other mistakes are found by `validate`, and so by all ranks
  /// of a plan.
  Transform(const Shape& shape, Kind kind, const std::vector<int>& axes = {},
            Precision precision = Precision::double_);
  /// A kind for each axis: at most one r2c, c2r or r2c_packed. The physical array is complex where
  /// there is a c2c and none of these three: a DCT or DST then transforms real and imaginary parts
  /// alike. If all kinds are Kind::none, the plan only redistributes: real numbers, which it may
  /// also scale, or elements of `element_bytes`.
  Transform(const Shape& shape, std::vector<Kind> kinds, Precision precision = Precision::double_);

  /// Parses "shape=64x64x64 kind=r2c precision=float scale=ortho": settings separated by spaces.
  /// kind=r2c is one kind for all axes, or for those in axes=1,2; kind=c2c,c2c,r2c one for each
  /// axis. modes=2/3 (see parse_modes; grid_64 for "grid 64") and ellipse=85 hold for all
  /// transformed axes; modes=2/3,all,85 and ellipse=4,4.5,6 have an entry for each. kinds= is
  /// another name of kind=, and norm= of scale=; bytes=16 sets element_bytes. An Error names the
  /// first setting that is wrong and the valid ones.
  static Transform parse(const std::string& text);

  /// The shape of the spectrum: n/2+1 along the r2c or c2r axis, n/2 along an r2c_packed one;
  /// only the kept modes if the others are absent.
  Shape spectral_shape() const;
  /// The wavenumbers of the spectrum's indices along an axis, as they lie in memory: 0, 1, ...,
  /// n/2, -(n-1)/2, ..., -1 for c2c. A batch axis counts from 0.
  std::vector<Index> wavenumbers(int axis) const;
  /// Whether the physical array holds real numbers.
  bool physical_is_real() const;
  /// Whether the spectrum holds real numbers: for DCT and DST, and if no axis is transformed.
  bool spectral_is_real() const;
  /// The product of the logical lengths of the transformed axes (see Scale).
  double logical_size() const;
};

/// The names that Transform::parse knows.
WEFT_API std::vector<std::string> transform_keys();

/// The text that Transform::parse reads, without settings that have their default value.
WEFT_API std::string to_string(const Transform& transform);

/// Throws an `Error` that names the first mistake: in shape, kinds, lengths, scale or modes, or a
/// value that is no enumerator.
WEFT_API void validate(const Transform& transform);

/// "none", "c2c", "dct2", ...: the enumerator's name.
WEFT_API std::string to_string(Kind kind);
/// The kind of that name; throws an Error that lists the valid ones.
WEFT_API Kind parse_kind(const std::string& name);

/// Where the n points of an axis lie in a box with edge L: point j is at (first + j) L / steps.
/// They are periodic for c2c and r2c. A DCT or DST has walls at 0 and L, where its waves are even
/// or odd; its points follow SciPy's definition.
struct GridPoints {
  double first = 0;        ///< 0, 1/2 or 1
  double steps = 1;        ///< n; n - 1 for DCT-I, n + 1 for DST-I
  bool has_walls = false;  ///< the kind is a DCT or DST
};
/// See GridPoints. An Error for a length below 1. DCT-I of one point, which no plan takes, has 0
/// steps.
WEFT_API GridPoints grid_points(Kind kind, Index length);
/// "double", "float".
WEFT_API std::string to_string(Precision precision);
/// From "double" or "float"; an Error otherwise.
WEFT_API Precision parse_precision(const std::string& name);
/// "all", "-85..85", "-8..-3+3..8" or "grid 128".
WEFT_API std::string to_string(const Modes& modes);
/// The modes that `length` points keep: "all", "85" (|k| <= 85), "2/3" (|k| <= length / 3),
/// "-8..-3+3..8" or "grid 128". An Error where the text is none of these.
WEFT_API Modes parse_modes(const std::string& text, Index length);
/// "absent", "zero".
WEFT_API std::string to_string(Dropped dropped);
/// From "absent" or "zero"; an Error otherwise.
WEFT_API Dropped parse_dropped(const std::string& name);
/// "backward", "ortho", "forward" or the number.
WEFT_API std::string to_string(const Scale& scale);
/// From the text of to_string; an Error for other words, for 0 and for numbers that are not finite.
WEFT_API Scale parse_scale(const std::string& text);

}  // namespace weft
