// Cuts lengths into parts and ranks into grids. Balanced cuts are floors of exact fractions: the
// boundaries of a split by p are then also boundaries of a split by p then q.
#pragma once

#include <optional>
#include <string>
#include <vector>
#include <weft/axes.hpp>
#include <weft/layout.hpp>

namespace weft {

struct Range {
  Index begin;
  Index end;
};

/// Part `index` of [begin, end) cut into `parts`; with n = end - begin, part i begins at offset
/// floor(n i / parts).
Range part_of(Range whole, Index parts, Index index);

/// The cuts of [0, length) into counts[0] parts, each of which is cut into counts[1] parts, and so
/// on. Includes both ends, so there is one more cut than parts.
std::vector<Index> cuts_of(Index length, const std::vector<int>& counts, Partition partition);

/// The index at a place in the list of all indices below `length`, in the order of their remainder
/// by `classes`, and among equals in their own order.
Index index_in_classes(Index length, Index classes, Index place);

/// The process grid of a layout, and where it cuts the axes.
struct GridOfBoxes {
  std::vector<int> grid;
  PerAxis<std::vector<int>> split;
  PerAxis<std::vector<Index>> cuts;
  Partition partition = Partition::balanced;  ///< the rule of these cuts; balanced if none
};

/// The grid whose positions hold these boxes, rank by rank in row-major order: each axis is cut in
/// the same places for all ranks. Empty where there is none, or where a rank holds nothing. The
/// boxes lie inside the global shape.
std::optional<GridOfBoxes> find_grid(const Shape& global, const std::vector<Box>& boxes);

/// The box restricted to one part of its range along an axis; the box itself if `parts` is 1.
Box part_of(const Box& box, int axis, int parts, int index);

/// Row-major coordinates of a rank in a process grid.
std::vector<int> coordinates_of(int rank, const std::vector<int>& grid);

/// Describes the ranks that have a position in a layout's grid: "2 of 8 ranks, 4 apart", "all 8
/// ranks".
std::string ranks_text(const Layout& layout);

/// Factors `ranks` into `dimensions` counts that are close to each other, the largest last.
std::vector<int> near_square_grid(int ranks, int dimensions);

}  // namespace weft
