// How a length is cut into parts, and ranks into grids: balanced floors, so that a split by p then
// q has the boundaries of the split by p among its own.
#pragma once

#include <vector>
#include <weft/axes.hpp>
#include <weft/layout.hpp>

namespace weft {

struct Range {
  Index begin;
  Index end;
};

/// Part `index` of [begin, end) cut into `parts`: offsets floor(n i / parts).
Range part_of(Range whole, Index parts, Index index);

/// Where [0, length) is cut by a rule into parts, each of which is cut again: `counts` of parts,
/// coarsest first. One more than there are parts.
std::vector<Index> cuts_of(Index length, const std::vector<int>& counts, Partition partition);

/// The box restricted to one part of its range along an axis; the box itself where parts is 1.
Box part_of(const Box& box, int axis, int parts, int index);

/// Row-major coordinates of a rank in a process grid.
std::vector<int> coordinates_of(int rank, const std::vector<int>& grid);

/// `dimensions` factors of `ranks`, as near to each other as the divisors allow, largest last.
std::vector<int> near_square_grid(int ranks, int dimensions);

}  // namespace weft
