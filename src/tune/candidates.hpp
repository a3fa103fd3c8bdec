// Lists the options worth trying: the main combinations, and variations of one option at a time.
// The full product of all options would take far too long to time.
#pragma once

#include <string>
#include <vector>

#include "plan/route.hpp"

namespace weft {

/// Whether the request leaves anything open that a model or a search could settle.
bool leaves_choices(const RouteRequest& request);
/// Whether it leaves open how many ranks hold data.
bool leaves_active_ranks(const RouteRequest& request);

/// The request's options with all ranks, and with fewer: halved again and again, and as many as
/// nodes. Few, so that planning stays quick in the largest jobs.
std::vector<Options> with_fewer_ranks(const Options& asked, const Topology& topology);

/// What a time counts for where plans are compared. More than it is on fewer ranks: what the caller
/// does with the arrays is done by these as well, so the transform must be clearly faster.
double weighed(const Options& options, double seconds);

/// Options, and the time of a transform with them: predicted or measured; 0 if it cannot run.
struct Candidate {
  Options options;
  double seconds = 0;
};

/// Why as many ranks hold data as in the first of a list. `source`: "the model expects" its
/// seconds.
std::string reason_for_ranks(const std::vector<Candidate>& best_first, const std::string& source);

/// All combinations of decomposition, method and number of chunks that the request leaves open;
/// on fewer ranks, where that is open, only with the usual decomposition.
/// Candidates with the same decomposition are adjacent, so that callers can share their layouts.
std::vector<Options> main_candidates(const RouteRequest& request, const Topology& topology,
                                     const std::vector<std::string>& methods);

/// `candidate` with the default method for the exchanges that stay within nodes; `near` has one
/// entry per exchange and marks those.
Options with_default_within_nodes(const Options& candidate, const std::vector<bool>& near);

/// Copies of `best` that each change one thing `request` leaves open: the number of ranks, chunks,
/// blocks in flight, start share, orders, progress, method (of all exchanges or of one), engine or
/// threads.
/// `forward` is the route of `best`.
std::vector<Options> variations(const Options& best, const RouteRequest& request,
                                const Route& forward, const Topology& topology);

/// The request's options with what `proposal` says about those that a search may vary and the
/// caller left open; everything else stays as it was asked for.
Options accepted(const RouteRequest& request, const Options& proposal);

}  // namespace weft
