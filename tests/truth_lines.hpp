// One 1-D transform along one line, as the truth code applies it: by a matrix, or by FFTW.
#pragma once

#include <memory>

#include "truth.hpp"

namespace weft::test {

/// What an element of a spectrum's axis stands for: how the modes k = exp(2 pi i k j / n) make it,
/// and which of them it makes. A dropped one has neither. DCT and DST have rows instead of modes.
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

/// True where the spectrum is the whole of it, in the usual form.
bool keeps_everything(const Transform& transform);

/// Puts a value where the spectrum has room for what is dropped.
void replace_dropped(const Transform& transform, Global& spectrum, Exact value);

/// The transform of one axis in one direction, unnormalised. `towards_physical` inverts up to the
/// logical length; for r2c and c2r the result's real part is then what counts.
struct AxisTransform {
  Kind kind;
  Index length;  ///< of the physical axis
  bool towards_physical;
  std::vector<SpectralElement> elements;  ///< of the spectral side

  bool is_half_complex() const {
    return kind == Kind::r2c || kind == Kind::c2r || kind == Kind::r2c_packed;
  }
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

/// Null where this build of the tests has no FFTW.
std::unique_ptr<LineTruth> fftw_line(const AxisTransform& axis);
bool have_fftw();

/// The kind whose matrix undoes that of a DCT or DST: itself, but for II and III.
Kind inverse_kind(Kind kind);

/// How often a kept mode counts in a real array: twice where its conjugate was dropped.
long double half_complex_weight(Index mode, Index length);

}  // namespace weft::test
