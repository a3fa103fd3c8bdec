// One 1-D transform along one line, as the truth code applies it: by a matrix, or by FFTW.
#pragma once

#include <memory>

#include "truth/truth.hpp"
#include "truth/walls.hpp"

namespace weft::test {

/// The meaning of an element along a spectrum's axis: the modes k = exp(2 pi i k j / n) that
/// analysis sums up in it, and those that synthesis makes of it. Dropped elements have neither. DCT
/// and DST have rows instead of modes.
struct SpectralElement {
  struct Term {
    Index wavenumber;
    Exact weight;
  };
  Index row;  ///< of the whole line
  Index wavenumber;
  std::vector<Term> analysis;
  std::vector<Term> synthesis;
};

/// The elements that the spectrum's array has along an axis; none for a batch axis.
std::vector<SpectralElement> spectral_elements(const Transform& transform, int axis);
Index signed_wavenumber(const Transform& transform, int axis, Index element);

/// Whether the spectrum has all modes, in the usual form.
bool keeps_everything(const Transform& transform);

/// Sets the elements of dropped modes, if the array has room for them, to a value.
void replace_dropped(const Transform& transform, Global& spectrum, Exact value);

/// The transform of one axis in one direction, unnormalised. `towards_physical` inverts up to the
/// logical length; for r2c and c2r only the real part of its result is used.
struct AxisTransform {
  Kind kind;
  Index length;  ///< of the physical axis
  bool towards_physical;
  std::vector<SpectralElement> elements;  ///< of the spectral side

  bool is_half_complex() const {
    return kind == Kind::r2c || kind == Kind::c2r || kind == Kind::r2c_packed;
  }
  bool is_trigonometric() const { return kind >= Kind::dct1; }
  Walls walls() const;  ///< of this direction
  Index input_length() const;
  Index output_length() const;
};

/// Transforms contiguous lines.
class LineTruth {
 public:
  virtual ~LineTruth() = default;
  virtual void apply(const Exact* input, Exact* output) = 0;
};

std::unique_ptr<LineTruth> matrix_line(const AxisTransform& axis);

/// Null if this build of the tests has no FFTW.
std::unique_ptr<LineTruth> fftw_line(const AxisTransform& axis);
bool have_fftw();

/// How often a stored mode counts in a real array: twice if its conjugate is not stored.
long double half_complex_weight(Index mode, Index length);

}  // namespace weft::test
