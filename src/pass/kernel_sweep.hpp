// A sweep whose engine reads lines where they lie and writes them where they must go, so that
// nothing is gathered or scattered. It needs lines that are neighbours, or contiguous, on each
// side; all other sweeps copy (pass/sweep.hpp).
#pragma once

#include <memory>
#include <vector>

#include "kernel/line_kernel.hpp"
#include "machine/aligned_buffer.hpp"
#include "machine/caches.hpp"
#include "pass/computation.hpp"
#include "pass/tiling.hpp"

namespace weft {

class KernelSweep {
 public:
  /// Null where the views do not suit. `is_streamed`: the target is not read again soon.
  static std::unique_ptr<KernelSweep> make(const LineComputation& computation,
                                           const std::vector<Box>& domains,
                                           const std::vector<View>& from,
                                           const std::vector<View>& to, bool is_streamed,
                                           const Caches& caches);

  const Cut& tiles() const { return tiles_; }
  void run_tile(const Box& domain, Index tile, const View& from, const View& to, double scale,
                std::byte* scratch) const;
  /// One thread's memory for run_tile.
  std::size_t scratch_bytes() const;

 private:
  KernelSweep(const LineComputation& computation, int lane_axis, bool is_streamed);

  void run_lines(const Box& box, const View& from, const View& to, double scale,
                 std::byte* scratch) const;
  LineRows fill_rows(const Box& box, const View& view, bool spectral, std::byte** rows,
                     Index length) const;
  Index widest() const { return tiles_.extents[lane_axis_]; }

  Step step_;
  double factor_;
  Index input_bytes_;
  Index output_bytes_;
  int lane_axis_;
  bool is_streamed_;
  Cut tiles_;
  std::unique_ptr<LineKernel> kernel_;
};

}  // namespace weft
