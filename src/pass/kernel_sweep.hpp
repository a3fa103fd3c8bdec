// A sweep whose kernel reads and writes the views themselves, without gather and scatter. The lines
// must be neighbours, or contiguous, on each side; all other sweeps copy (pass/sweep.hpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "machine/aligned_buffer.hpp"
#include "machine/caches.hpp"
#include "pass/computation.hpp"
#include "pass/lane_lines.hpp"
#include "pass/staging.hpp"
#include "pass/tiling.hpp"
#include "view/block_sums.hpp"

namespace weft {

class KernelSweep {
 public:
  /// Null if the views do not allow that. `depth`: of the target.
  static std::unique_ptr<KernelSweep> make(const LineComputation& computation,
                                           const std::vector<Box>& domains,
                                           const std::vector<View>& from,
                                           const std::vector<View>& to, Depth depth,
                                           const Caches& caches);

  /// The views that hold the lines.
  struct Sides {
    const View& from;
    const View& to;
  };
  /// The arguments of one call.
  struct Call {
    double scale;
    SweepSums sums;  ///< of the arrays themselves, and of results after all factors
  };

  const Cut& tiles() const { return tiles_; }
  void run_tile(const Box& domain, Index tile, const Sides& sides, const Call& call,
                std::byte* scratch) const;
  /// The axes along which the arrays are contiguous.
  int source_columns() const { return source_.unit_axis(); }
  int target_columns() const { return target_.unit_axis(); }
  /// One thread's memory for run_tile.
  std::size_t scratch_bytes() const;

 private:
  KernelSweep(const LineComputation& computation, int source_unit, int target_unit, int lane_axis,
              Depth depth);

  void run_lines(const Box& box, Index ahead, const Sides& sides, const Call& call,
                 std::byte* scratch) const;
  Index widest() const { return tiles_.extents[lane_axis_]; }

  Step step_;
  double factor_;
  int lane_axis_;
  LaneLines source_;
  LaneLines target_;
  Cut tiles_;
  std::optional<Staging> staging_;  // for results that are written past the cache
  std::unique_ptr<LineKernel> kernel_;
};

}  // namespace weft
