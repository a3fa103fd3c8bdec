// Makes the table of element addresses that a kernel takes for the lines on one side of a sweep. A
// table serves pieces of several peers, kept modes and strides alike. It is rewritten for every
// tile, which costs little because a tile has several groups of lines.
#pragma once

#include <algorithm>
#include <vector>

#include "kernel/line_kernel.hpp"
#include "pass/computation.hpp"
#include "pass/tiling.hpp"
#include "view/block_sums.hpp"
#include "view/view.hpp"

namespace weft {

/// The axis whose neighbours become lanes; -1 if kernels do not suit. It is contiguous on both
/// sides, or on one side if lines are contiguous on the other. If lines are contiguous on both
/// sides, it is the longest other axis.
int choose_lane_axis(int line_axis, const Shape& largest, int source_unit, int target_unit);

/// Whether a kernel should take its lines from memory itself. `neighbours`: the lines beside one
/// another along the lane axis. They must fill half of the lanes. If they do not fill all lanes and
/// are short, a tile takes longer to describe than to transform, so copies gather many tiles.
bool suits_lanes(Index neighbours, Index length, Index lanes);

/// Whether neighbours along the axis are equally far apart in all pieces.
bool is_even(const std::vector<View>& views, int axis);

/// Tiles of whole lines and at most `lines` neighbours along the lane axis. All tiles have equal
/// numbers of groups of `lanes`.
Cut lane_tiles(const Shape& largest, int line_axis, int lane_axis, Index lanes, Index lines);

/// The level of the memory hierarchy that results are written to.
enum class Depth {
  second_level,  ///< results are in the second-level cache, and stay there
  last_level,    ///< results are read again soon, but may leave the second-level cache
  memory         ///< results are not read again soon, and are written past the caches
};

/// One side of a sweep.
class LaneLines {
 public:
  enum class End { source, target };
  /// `depth`: of the target; ignored for a source.
  LaneLines(const Step& step, End end, int lane_axis, int unit_axis, Depth depth);

  /// Elements of a line as the kernel sees it; the table has room for each.
  Index elements() const { return elements_; }
  int unit_axis() const { return unit_axis_; }
  /// The addresses of the lines of the box for that kernel. All lines must be in the same pieces.
  LineRows rows(const Box& box, const View& view, const LineKernel& kernel,
                std::byte** table) const;
  /// The first line above the box's lower end that is not in the same pieces; `end` if there is
  /// none below `end`.
  Index next_cut(const Box& box, const View& view, Index end) const;
  /// The number of lines of the domain before the first line that begins a cache line. 0 unless
  /// results are written past the cache, to one array whose rows are all aligned alike.
  Index lines_before_alignment(const Box& domain, const View& view) const;

 private:
  Step step_;
  bool is_spectral_;
  Index elements_;
  int lane_axis_;
  int unit_axis_;
  Depth depth_;
};

/// Adds a box of a view to `sums`, unless they are null.
void add_up(BlockSums* sums, int worker, const View& view, const Box& box);

}  // namespace weft
