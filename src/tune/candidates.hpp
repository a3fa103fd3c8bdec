// Which options are worth a thought: the combinations that differ in kind, and variations of one.
#pragma once

#include <vector>

#include "plan/route.hpp"

namespace weft {

/// Whether the request leaves anything open that a model or a search could settle.
bool leaves_choices(const RouteRequest& request);

/// Decompositions, methods and numbers of chunks, as far as the request leaves them open; those of
/// one decomposition next to each other.
std::vector<Options> main_candidates(const RouteRequest& request, const Topology& topology,
                                     const std::vector<std::string>& methods);

/// The same with the default method for the exchanges that stay within nodes, `near` of all of
/// them.
Options with_default_within_nodes(const Options& candidate, const std::vector<bool>& near);

/// `best` with one thing changed: chunks, window, orders, progress, method (of all exchanges or of
/// one), engine or threads, as far as `request` leaves them open; `forward` is the route of `best`.
std::vector<Options> variations(const Options& best, const RouteRequest& request,
                                const Route& forward, const Topology& topology);

/// The request's options with what `proposal` says about those that a search may vary and the
/// caller left open; everything else stays as it was asked for.
Options accepted(const RouteRequest& request, const Options& proposal);

}  // namespace weft
