// Results that are to be written past the cache go through lines in it: stores that are not whole
// cache lines would read memory before they write it, and sums are taken from what is cached.
#pragma once

#include "kernel/line_kernel.hpp"
#include "pass/computation.hpp"
#include "view/block_sums.hpp"
#include "view/copy_kernels.hpp"
#include "view/view.hpp"

namespace weft {

/// Whether lines that are written past the cache need a staging. For neighbours whose rows are
/// aligned differently it is faster to prefetch the rows and write them in place.
inline bool is_staged(const LineRows& lines) { return !lines.is_streamed && !lines.is_fetched; }

class Staging {
 public:
  /// Neighbours along `axis`, of arrays with `axes` axes that are contiguous along `unit_axis`: the
  /// lanes' axis or the lines'.
  struct Lanes {
    int axis;
    int unit_axis;
    int axes;
  };
  /// For at most `lines` lines at a time.
  Staging(const Step& step, const Element& output, const Lanes& lanes, Index lines);

  std::size_t bytes() const;
  /// Where a kernel leaves its results. `memory`: bytes(), aligned to a cache line.
  LineRows rows(std::byte* memory) const;
  /// Copies them to the box of a view, and adds them up unless there are no sums.
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
