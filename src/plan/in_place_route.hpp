// Routes whose exchanges and passes all work in the result's array: slabs that alternate between
// the two slowest axes, in one memory order. They trade sweeps and overlap for memory.
#pragma once

#include <optional>

#include "plan/stages.hpp"

namespace weft {

/// Whether the exchanges work in the result's array; throws if some do and others do not.
bool works_in_result_array(const Options& options);

/// Throws `Error` if the passes cannot all work on one array.
Routes make_in_place_routes(const RouteRequest& request, const Ends& ends, const Topology& topology,
                            const Caches& caches);

/// The same for one rank whose exchanges no option names: nothing moves, and two arrays suffice.
/// None for several ranks, and where passes cannot all work on one array.
std::optional<Routes> make_routes_of_one_rank(const RouteRequest& request, const Ends& ends,
                                              const Topology& topology, const Caches& caches);

}  // namespace weft
