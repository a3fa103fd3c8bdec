// 1-D FFTs of lines in place in memory: a kernel gets the address of each element (of contiguous
// lines perhaps of the first one alone), and reads and writes memory itself. All lines see the same
// operations, so the result does not depend on how many lines are transformed together.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <weft/axes.hpp>
#include <weft/transform.hpp>

#include "transform/kinds.hpp"

namespace weft {

/// The addresses of lines: element j of line l is at rows[j] + l * line_bytes. Elements without a
/// row are read as zeros, and not written.
struct LineRows {
  std::byte* const* rows = nullptr;
  Index line_bytes = 0;
  /// Every element has a row.
  bool is_complete = true;
  /// Every element has a row, and those of each line follow one another: rows[0] tells all rows.
  bool is_contiguous = false;
  /// For neighbouring or contiguous lines: rows, or lines, are aligned to cache lines and not read
  /// again soon. They are therefore written past the cache.
  bool is_streamed = false;
  /// For neighbouring or contiguous lines that are written: they are not in the second-level cache.
  /// The kernel therefore fetches them before results are ready.
  bool is_fetched = false;
  /// Bytes from each element to the same element of the lines that are transformed next, so that
  /// the kernel can prefetch it; 0: prefetch nothing.
  Index ahead = 0;
};

/// A planned transform of lines, unscaled. Running is const: threads share it, each with its own
/// scratch memory.
class LineKernel {
 public:
  virtual ~LineKernel() = default;
  /// Transforms `lines` lines, and multiplies the results by `factor`. Each line is read before
  /// the first of its results is written, so `to` may equal `from`, with the same distance of
  /// lines. `scratch`: scratch_bytes(lines) bytes, aligned to a cache line.
  virtual void run(const LineRows& from, const LineRows& to, Index lines, double factor,
                   std::byte* scratch) const = 0;
  virtual std::size_t scratch_bytes(Index lines) const = 0;
  /// Of contiguous lines it reads rows[0] alone, so that the table needs no other rows.
  virtual bool needs_one_row() const { return false; }
  /// Numbers of lines that are multiples of this waste no lanes.
  virtual Index lanes() const = 0;
};

/// The kernel for the best instruction set of this processor, for any length. For r2c and c2r,
/// `length` is the length of the real side. `components`: 2 if a DCT or DST acts on both parts of
/// complex numbers. `are_contiguous`: lines are usually contiguous on both sides; some lengths then
/// have a kernel that rounds differently.
std::unique_ptr<LineKernel> make_line_kernel(LineKind kind, Precision precision, Index length,
                                             int components = 1, bool are_contiguous = false);

}  // namespace weft
