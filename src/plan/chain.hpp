// The chain of layouts from the physical array to its spectrum: which axes are transformed where.
#pragma once

#include <vector>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

#include "machine/caches.hpp"
#include "plan/local_transforms.hpp"

namespace weft {

/// The layout of the physical array if the caller gives none; `ranks`: the number of ranks that
/// hold data.
Layout default_layout(const Transform& transform, const Options& options, int ranks);

/// Legs from `physical` to `spectral`. If `spectral` has no axes, the chain ends in the layout of
/// the last transform. `axes`: see RouteRequest. Consecutive legs are joined by an exchange, which
/// costs nothing if their layouts are equal.
std::vector<Leg> make_chain(const Transform& transform, const Layout& physical,
                            const Layout& spectral, const std::vector<SplitAxis>& axes,
                            const Caches& caches);

/// The same legs in kept indices, for spectra that have room for dropped modes.
std::vector<Leg> in_kept_indices(const Transform& transform, std::vector<Leg> legs);

}  // namespace weft
