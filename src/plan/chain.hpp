// The chain of layouts from the physical array to its spectrum: which axes are transformed where.
#pragma once

#include <vector>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

#include "machine/caches.hpp"

namespace weft {

/// Data in one layout, and the axes that are transformed while they lie in it (in this order).
struct Leg {
  Layout physical;  ///< before its transforms
  Layout spectral;  ///< the same boxes after them
  std::vector<int> axes;
};

/// The layout of the physical array where the caller names none.
Layout default_layout(const Transform& transform, const Options& options, int ranks);

/// Legs from `physical` to `spectral` (to wherever the last transform leaves the data, where that
/// has no axes). Consecutive legs are joined by an exchange, which costs nothing where their
/// layouts agree. With `swaps_slowest` slabs go from one of the two slowest axes to the other, and
/// only once nothing more can be transformed without.
std::vector<Leg> make_chain(const Transform& transform, const Layout& physical,
                            const Layout& spectral, const Caches& caches,
                            bool swaps_slowest = false);

/// The same legs in kept indices, where the spectrum has room for the modes that are dropped.
std::vector<Leg> in_kept_indices(const Transform& transform, std::vector<Leg> legs);

}  // namespace weft
