// Routes whose exchanges and passes all work in the result's array, in one memory order: slabs that
// alternate between the two slowest axes, which trade sweeps and overlap for memory, or ranks that
// keep their data.
#pragma once

#include "plan/stages.hpp"

namespace weft {

/// Whether the exchanges work in the result's array; throws if some do and others do not.
bool works_in_result_array(const Options& options);

/// Whether no data move between the passes, and all but the first may work in the result's array
/// although the options do not ask for it. They then need no other memory.
bool may_stay_in_result_array(const RouteRequest& request, const Ends& ends, const Caches& caches);

/// Throws `Error` if the passes cannot all work on one array.
Routes make_in_place_routes(const RouteRequest& request, const Ends& ends, const Topology& topology,
                            const Caches& caches);

}  // namespace weft
