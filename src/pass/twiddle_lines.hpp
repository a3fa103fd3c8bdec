// The twiddles of a split axis on lines in a tile: tables of a rank's own lines, made when a pass
// is planned. Two small tables stand for one as large as the rank's array.
#pragma once

#include <vector>

#include "machine/aligned_buffer.hpp"
#include "pass/computation.hpp"

namespace weft {

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
