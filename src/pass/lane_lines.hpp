// A table with the address of each element of the lines on one side of a sweep, as kernels take it,
// made anew for every tile. It serves pieces of several peers, kept modes and strides alike, for
// the cost of writing it: little, because a tile has several groups of lines.
#pragma once

#include <algorithm>
#include <vector>

#include "kernel/line_kernel.hpp"
#include "pass/computation.hpp"
#include "pass/tiling.hpp"
#include "view/block_sums.hpp"
#include "view/view.hpp"

namespace weft {

/// The axis along which all pieces are contiguous; -1 if there is none.
int unit_axis(const std::vector<View>& views, const Shape& largest, Index element_bytes);

/// The axis whose neighbours become lanes: contiguous on both sides, or on one where lines are on
/// the other; where lines are contiguous on both sides, the longest. -1 if kernels do not suit.
int choose_lane_axis(int line_axis, const Shape& largest, int source_unit, int target_unit);

/// Whether neighbours along the axis are equally far apart in all pieces.
bool is_even(const std::vector<View>& views, int axis);

/// Tiles of whole lines and `lines` neighbours along the lane axis at most, in equal numbers of
/// groups of `lanes`.
Cut lane_tiles(const Shape& largest, int line_axis, int lane_axis, Index lanes, Index lines);

/// How far from the processor results go.
enum class Depth {
  second_level,  ///< they are in the second-level cache, and stay there
  last_level,    ///< they are read again soon, but need not be in the second-level cache
  memory         ///< they are not read again soon, and written past the caches
};

/// One side of a sweep.
class LaneLines {
 public:
  enum class End { source, target };
  /// `depth`: of the target; ignored for a source.
  LaneLines(const Step& step, End end, int lane_axis, int unit_axis, Depth depth);

  /// Elements of a line as the kernel sees it, each of which has an entry in the table.
  Index elements() const { return elements_; }
  int unit_axis() const { return unit_axis_; }
  /// Where the lines of the box lie. All of them must be in the same pieces.
  LineRows rows(const Box& box, const View& view, std::byte** table) const;
  /// The first line behind the box's lower end that is not in the same pieces, if that is below
  /// `end`; else `end`.
  Index next_cut(const Box& box, const View& view, Index end) const;
  /// How many lines of the domain lie before the first one that begins a cache line, if results are
  /// written past the cache, to one array whose rows are all aligned alike; else 0.
  Index lines_before_alignment(const Box& domain, const View& view) const;

 private:
  Step step_;
  bool is_spectral_;
  Index elements_;
  int lane_axis_;
  int unit_axis_;
  Depth depth_;
};

/// Adds up a box of a view, unless there are no sums.
void add_up(BlockSums* sums, int worker, const View& view, const Box& box);

}  // namespace weft
