// The twiddles of a split axis on lines in a tile: tables of a rank's own lines, made when a pass
// is planned. A line takes two short rows instead of one as long as itself.
#pragma once

#include <complex>
#include <vector>

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
  Twiddle twiddle_;
  Precision precision_ = Precision::double_;
  Index elements_ = 0;   // of a line
  Index fine_ = 0;       // elements of a fine row
  Index row_bytes_ = 0;  // of the fine and the coarse row of a line
  Index first_ = 0;      // the lowest index of the lines
  AlignedBuffer rows_;
};

}  // namespace weft
