// The twiddles of a split axis on lines in a tile: tables of a rank's own lines, made when a pass
// is planned. Two small tables stand for one as large as the rank's array.
#pragma once

#include <complex>
#include <vector>

#include "machine/aligned_buffer.hpp"
#include "pass/computation.hpp"

namespace weft {

/// exp(-2 pi i s k / n) of the lines at index s of the twiddle's axis, for all k; the conjugates
/// where the step is backward.
std::vector<std::complex<double>> twiddle_row(const Step& step, Index index);

/// Rows for the indices `first` to `end` - 1: s = first + c fine + f is the product of a coarse
/// row, of first + c fine, and a fine one, of f. The numbers of both are about the square root of
/// the number of indices.
struct TwiddleRows {
  TwiddleRows(Index first_index, Index end);

  Index coarse_count() const { return (count + fine - 1) / fine; }

  Index first;
  Index count;
  Index fine;
};

class TwiddleLines {
 public:
  /// No twiddles: `turn` does nothing.
  TwiddleLines() = default;
  /// Of the lines of these boxes.
  TwiddleLines(const Step& step, Precision precision, const std::vector<Box>& domains);

  /// Multiplies the spectral elements of lines.
  void turn(const TileLines& lines) const;

 private:
  /// One row of factors for each of several indices.
  struct Rows {
    AlignedBuffer factors;
    void fill(const Step& step, Precision precision, Index first, Index distance, Index count);
  };
  const std::byte* row(const Rows& rows, Index number) const {
    return rows.factors.data() + number * row_bytes_;
  }

  Twiddle twiddle_;
  Precision precision_ = Precision::double_;
  Index elements_ = 0;  // of a line
  Index row_bytes_ = 0;
  Index first_ = 0;  // the lowest index of the lines
  Index fine_ = 1;   // indices for each row of `coarse`
  Rows coarse_;
  Rows fine_rows_;  // empty if fine_ is 1
};

}  // namespace weft
