// Lists the options worth trying: the main combinations, and variations of one option at a time.
// The full product of all options would take far too long to time.
#pragma once

#include <vector>

#include "plan/route.hpp"

namespace weft {

/// Whether the request leaves anything open that a model or a search could settle.
bool leaves_choices(const RouteRequest& request);

/// All combinations of decomposition, method and number of chunks that the request leaves open.
/// Candidates with the same decomposition are adjacent, so that callers can share their layouts.
std::vector<Options> main_candidates(const RouteRequest& request, const Topology& topology,
                                     const std::vector<std::string>& methods);

/// `candidate` with the default method for the exchanges that stay within nodes; `near` has one
/// entry per exchange and marks those.
Options with_default_within_nodes(const Options& candidate, const std::vector<bool>& near);

/// Copies of `best` that each change one thing `request` leaves open: chunks, blocks in flight,
/// start share, orders, progress, method (of all exchanges or of one), engine or threads.
/// `forward` is the route of `best`.
std::vector<Options> variations(const Options& best, const RouteRequest& request,
                                const Route& forward, const Topology& topology);

/// The request's options with what `proposal` says about those that a search may vary and the
/// caller left open; everything else stays as it was asked for.
Options accepted(const RouteRequest& request, const Options& proposal);

}  // namespace weft
