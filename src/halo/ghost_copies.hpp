// Which elements a rank copies to the ghost cells of another rank: pure functions of layout and
// ghost cells.
#pragma once

#include <vector>
#include <weft/halo.hpp>

namespace weft {

/// Elements of one rank that become ghost cells of another rank, or of the same one.
struct GhostCopy {
  Box from;     ///< in the source's box
  Point shift;  ///< added to an index of `from`: where it would be beside the target's box
  friend bool operator==(const GhostCopy&, const GhostCopy&) = default;
};

/// In the same order on every rank.
std::vector<GhostCopy> ghost_copies(const Layout& layout, const GhostCells& cells, int source,
                                    int target);

/// The layout with room for the ghost cells: one without gaps gets it, others must have it. Throws
/// an Error that names the mistake. Layouts with strides of their own are trusted.
Layout with_room(const Layout& layout, const GhostCells& cells);

}  // namespace weft
