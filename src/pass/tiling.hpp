// How boxes are cut into tiles: a pure function of boxes, strides and cache sizes. Wide tiles
// stream well, narrow ones stay cached while they are transformed.
#pragma once

#include <vector>

#include "machine/caches.hpp"
#include "pass/view.hpp"

namespace weft {

/// A way to cut boxes into parts of equal extents, smaller ones at the ends.
struct Cut {
  Shape extents;  ///< of a part; 1 along the axes that stay whole
  Order axes;     ///< those that are cut; parts follow each other fastest along the last

  Index parts(const Box& domain) const;
  Box part(const Box& domain, Index number) const;
};

/// The tiles of a sweep: some lines along one axis, a box of the others, numbered in the order in
/// which they lie in the tile's buffers.
struct Tiling {
  Cut tiles;
  PerAxis<Index> line_number;  ///< from a line to its neighbour along each axis; 0 along the lines
  Index lines = 1;             ///< of a full tile
  Index batch = 1;             ///< lines that an engine is given at a time

  /// Lines of a tile up to the last one of that box; a smaller box may leave some out in between.
  Index lines_in(const Box& box) const;
  /// Lines that a buffer needs, so that its last batch is whole.
  Index buffer_lines() const { return (lines + batch - 1) / batch * batch; }
};

/// The lines that must be whole in a tile. Without an axis every element is a line of its own.
struct TileLine {
  int axis = -1;
  Index bytes = 1;  ///< in the tile, before or after the transform, whichever is more
};

/// What a tile is copied from or to.
struct TileSide {
  const View& view;  ///< its strides count, not its bases
  Index element_bytes;
};

/// Bytes that the lines of a tile may take before the transform, and as many after it, so that both
/// buffers, the engine's constants and what is being copied stay in the second-level cache.
std::size_t tile_budget(const Caches& caches);

/// Tiles for those boxes, which have indices of the input side. Their lines take tile_budget() at
/// most, but there are never fewer than it takes to copy whole cache lines where another axis than
/// the lines' is contiguous (at most as many for each side as elements fit a cache line).
/// The batch follows from all lines of the boxes together, however these are cut.
Tiling make_tiling(const std::vector<Box>& domains, const TileLine& line, const TileSide& from,
                   const TileSide& to, const Caches& caches);

}  // namespace weft
