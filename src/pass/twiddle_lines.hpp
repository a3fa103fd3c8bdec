// The twiddles of a split axis on lines in a tile: tables of a rank's own lines, made when a pass
// is planned. Each factor is a product of two, so no table is as large as the rank's array.
#pragma once

#include <complex>
#include <vector>

#include "kernel/complex_products.hpp"
#include "machine/aligned_buffer.hpp"
#include "pass/computation.hpp"

namespace weft {

/// exp(-2 pi i s k / n) of the lines at index s of the twiddle's axis, for k = first, first +
/// distance, ..., `count` of them; the conjugates where the step is backward.
std::vector<std::complex<double>> twiddle_row(const Step& step, Index s, Index first,
                                              Index distance, Index count);

class TwiddleLines {
 public:
  /// No twiddles: `turn` does nothing.
  TwiddleLines() = default;
  /// Of the lines of these boxes.
  TwiddleLines(const Step& step, Precision precision, const std::vector<Box>& domains);

  /// Multiplies the spectral elements of lines.
  void turn(const TileLines& lines) const;

 private:
  /// For each line a row of factors along its parts and one of factors of its parts.
  void split_along(const Step& step);
  /// Whole rows of s = first + c f, and of 0 to f - 1: a line takes one of each.
  void split_across(const Step& step);
  void allocate(Index factors);
  void fill(Index place, const std::vector<std::complex<double>>& factors);
  FactorRows rows_of(Index s) const;

  Twiddle twiddle_;
  Precision precision_ = Precision::double_;
  Index elements_ = 0;  // of a line
  Index first_ = 0;     // the lowest index s of the lines
  Index count_ = 0;     // of indices s
  Index part_ = 0;      // of a line; 0: split across lines
  Index fine_ = 1;      // indices s for each coarse row
  AlignedBuffer factors_;
};

}  // namespace weft
