// Holds results in cached lines until they are written past the cache. Without it, stores of
// partial cache lines would read memory first, and sums would read uncached data.
#pragma once

#include "kernel/line_kernel.hpp"
#include "pass/computation.hpp"
#include "view/block_sums.hpp"
#include "view/copy_kernels.hpp"
#include "view/view.hpp"

namespace weft {

/// Whether lines that are written past the cache need a staging. Neighbours whose rows are aligned
/// differently do not: prefetching the rows and writing them in place is faster.
inline bool is_staged(const LineRows& lines) { return !lines.is_streamed && !lines.is_fetched; }

class Staging {
 public:
  /// Neighbours along `axis`, of arrays with `axes` axes that are contiguous along `unit_axis`, the
  /// axis of the lanes or of the lines.
  struct Lanes {
    int axis;
    int unit_axis;
    int axes;
  };
  /// For at most `lines` lines at a time.
  Staging(const Step& step, const Element& output, const Lanes& lanes, Index lines);

  std::size_t bytes() const;
  /// The rows into which a kernel writes its results. `memory`: bytes() long, aligned to a cache
  /// line.
  LineRows rows(std::byte* memory) const;
  /// Copies the results to the box of a view, and adds them to `sums` unless they are null.
  void deliver(std::byte* memory, const Box& box, const View& to, BlockSums* sums,
               int worker) const;

 private:
  std::size_t table_bytes() const;

  Step step_;
  Lanes lanes_;
  Index lines_;
  PerAxis<Index> strides_;
  CopyKernel copy_;
};

}  // namespace weft
