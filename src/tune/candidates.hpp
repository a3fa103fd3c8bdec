// Which options are worth a thought: the combinations that differ in kind, and variations of one.
#pragma once

#include <vector>

#include "plan/route.hpp"

namespace weft {

/// Whether the request leaves anything open that a model or a search could settle.
bool leaves_choices(const RouteRequest& request);

/// Decompositions, methods and numbers of chunks, as far as the request leaves them open.
std::vector<Options> main_candidates(const RouteRequest& request, const Topology& topology,
                                     const std::vector<std::string>& methods);

/// `best` with one thing changed: chunks, window, order, progress, method, engine or threads, as
/// far as `request` leaves them open.
std::vector<Options> variations(const Options& best, const RouteRequest& request,
                                const Topology& topology);

}  // namespace weft
