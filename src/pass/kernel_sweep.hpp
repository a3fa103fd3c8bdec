// A sweep whose kernel reads and writes the views themselves, without gather and scatter. The lines
// must be neighbours, or contiguous, on each side; all other sweeps copy (pass/tile_sweep.hpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pass/lane_lines.hpp"
#include "pass/staging.hpp"
#include "pass/sweep.hpp"

namespace weft {

class KernelSweep : public Sweep {
 public:
  /// See make_sweep. Null if the computation, the engine or the views do not allow it.
  static std::unique_ptr<KernelSweep> make(const SweepSpec& spec, const std::vector<Box>& domains,
                                           const std::vector<View>& from,
                                           const std::vector<View>& to, const Caches& caches);

  void run_tile(const Box& domain, Index tile, const View& from, const View& to,
                const TileBuffers& buffers, const SweepCall& call) const override;
  int source_columns() const override { return source_.unit_axis(); }
  int target_columns() const override { return target_.unit_axis(); }

 private:
  /// The views that hold the lines.
  struct Sides {
    const View& from;
    const View& to;
  };

  KernelSweep(const SweepSpec& spec, int source_unit, int target_unit, int lane_axis);

  const Cut& cut() const override { return tiles_; }
  BufferBytes bytes_of_buffers() const override;
  void run_lines(const Box& box, Index ahead, const Sides& sides, const SweepCall& call,
                 std::byte* scratch) const;
  Index widest() const { return tiles_.extents[lane_axis_]; }

  Step step_;
  double factor_;
  bool reads_cache_;  // so that nothing is prefetched
  int lane_axis_;
  LaneLines source_;
  LaneLines target_;
  Cut tiles_;
  std::optional<Staging> staging_;  // for results that are written past the cache
  std::unique_ptr<LineKernel> kernel_;
};

}  // namespace weft
