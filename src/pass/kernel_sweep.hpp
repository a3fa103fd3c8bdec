// A sweep whose engine reads lines where they lie and writes them where they must go, so that
// nothing is gathered or scattered. It needs lines that are neighbours, or contiguous, on each
// side; all other sweeps copy (pass/sweep.hpp).
#pragma once

#include <memory>
#include <vector>

#include "kernel/line_kernel.hpp"
#include "machine/aligned_buffer.hpp"
#include "machine/caches.hpp"
#include "pass/block_sums.hpp"
#include "pass/computation.hpp"
#include "pass/copy_kernels.hpp"
#include "pass/tiling.hpp"

namespace weft {

class KernelSweep {
 public:
  struct Uses {
    bool is_streamed;   ///< the target is not read again soon
    bool is_certified;  ///< calls have sums
  };
  /// Null where the views do not suit.
  static std::unique_ptr<KernelSweep> make(const LineComputation& computation,
                                           const std::vector<Box>& domains,
                                           const std::vector<View>& from,
                                           const std::vector<View>& to, const Uses& uses,
                                           const Caches& caches);

  /// Where lines lie.
  struct Sides {
    const View& from;
    const View& to;
  };
  /// What differs from call to call.
  struct Call {
    double scale;
    SweepSums sums;  ///< of the arrays themselves, and of results after all factors
  };

  const Cut& tiles() const { return tiles_; }
  void run_tile(const Box& domain, Index tile, const Sides& sides, const Call& call,
                std::byte* scratch) const;
  /// The axes along which the arrays are contiguous.
  int source_columns() const { return source_unit_; }
  int target_columns() const { return target_unit_; }
  /// One thread's memory for run_tile.
  std::size_t scratch_bytes() const;

 private:
  KernelSweep(const LineComputation& computation, int source_unit, int target_unit, int lane_axis,
              const Uses& uses);

  void run_lines(const Box& box, Index ahead, const Sides& sides, const Call& call,
                 std::byte* scratch) const;
  void run_staged(const LineRows& source, const Box& result, const Sides& sides, const Call& call,
                  std::byte* memory) const;
  LineRows fill_rows(const Box& box, const View& view, bool spectral, std::byte** rows,
                     Index length) const;
  bool may_stream_lines(const LineRows& lines) const;
  std::size_t staging_bytes() const;
  Index widest() const { return tiles_.extents[lane_axis_]; }

  Step step_;
  double factor_;
  Index input_bytes_;
  Index output_bytes_;
  int source_unit_;
  int target_unit_;
  int lane_axis_;
  Uses uses_;
  CopyKernel stream_;
  Cut tiles_;
  std::unique_ptr<LineKernel> kernel_;
};

}  // namespace weft
