// Cuts boxes into tiles, as a pure function of boxes, strides and cache sizes. Wide tiles stream
// well; narrow ones stay cached while they are transformed.
#pragma once

#include <span>
#include <vector>

#include "machine/caches.hpp"
#include "view/view.hpp"

namespace weft {

/// Engines choose different algorithms, with different rounding errors, for different numbers of
/// lines. With a fixed number, a line's result is bitwise the same in every tile. More lines help
/// only the shortest lines; see docs/decisions/0018-*.md.
constexpr Index most_lines_at_a_time = 8;

/// A way to cut boxes into parts of equal extents, smaller ones at the ends.
struct Cut {
  Shape extents;  ///< of a part; 1 along the axes that stay whole
  Order axes;     ///< the axes that are cut; part numbers grow fastest along the last

  Index parts(const Box& domain) const;
  Box part(const Box& domain, Index number) const;
};

/// The tiles of a sweep. A tile is a box of whole lines along one axis; lines are numbered in the
/// order in which they lie in the tile's buffers.
struct Tiling {
  Cut tiles;
  PerAxis<Index> line_number;  ///< number difference of neighbours by axis; 0 along the lines
  Index lines = 1;             ///< of a full tile
  Index batch = 1;             ///< lines that an engine transforms at a time

  /// The number of the last line of that box, plus one. A box smaller than a tile may skip some
  /// lines in between.
  Index lines_in(const Box& box) const;
  /// Lines in a buffer, rounded up to whole batches.
  Index buffer_lines() const { return (lines + batch - 1) / batch * batch; }
};

/// The largest extent of any of the boxes, by axis.
Shape largest_extents(const std::vector<Box>& domains);

bool are_empty(const std::vector<Box>& domains);

/// The axis along which all pieces are contiguous; -1 if there is none.
int unit_axis(std::span<const View> views, const Shape& largest, Index element_bytes);

/// The lines that a tile must hold whole. Without an axis, each element is a separate line.
struct TileLine {
  int axis = -1;
  Index bytes = 1;  ///< in the tile, before or after the transform, whichever is larger
};

/// The source or target of a tile.
struct TilingSide {
  const View& view;  ///< its bases are not used
  Index element_bytes;
};

/// The bytes that a tile's lines may take before the transform, and again after it. With this
/// limit, both buffers, the engine's constants and the data being copied stay in the second-level
/// cache.
std::size_t tile_budget(const Caches& caches);

/// Tiles for the given boxes, which are in indices of the input side. A tile's lines take at most
/// tile_budget() bytes, with one exception. If an axis other than the lines' is contiguous on a
/// side, a tile has enough lines to copy whole cache lines there. The batch follows from the total
/// number of lines, however the boxes are cut.
Tiling make_tiling(const std::vector<Box>& domains, const TileLine& line, const TilingSide& from,
                   const TilingSide& to, const Caches& caches);

}  // namespace weft
