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

/// The weighted time by which plans are compared. With fewer ranks it is longer than the time: the
/// caller's other work then uses only these ranks, so the transform must be clearly faster.
double weighed(const Options& options, double seconds);

/// Options, and the time of a transform with them: predicted or measured; 0 if it cannot run.
struct Candidate {
  Options options;
  double seconds = 0;
};

/// The reason for the number of ranks that hold data in the first candidate. `source`: the words
/// before its seconds, for example "the model expects".
std::string reason_for_ranks(const std::vector<Candidate>& best_first, const std::string& source);

/// All combinations of decomposition, method and number of chunks that the request leaves open;
/// on fewer ranks, where that is open, only with the usual decomposition.
/// Candidates with the same decomposition are adjacent, so that callers can share their layouts.
std::vector<Options> main_candidates(const RouteRequest& request, const Topology& topology,
                                     const std::vector<std::string>& methods);

/// `candidate` with the default method for the exchanges that stay within nodes; `near` has one
/// entry per exchange and marks these exchanges.
Options with_default_within_nodes(const Options& candidate, const std::vector<bool>& near);

/// Copies of `best` that each change one thing `request` leaves open: the number of ranks, chunks,
/// blocks in flight, start share, orders, progress, method (of all exchanges or of one), engine or
/// threads.
/// `forward` is the route of `best`.
std::vector<Options> variations(const Options& best, const RouteRequest& request,
                                const Route& forward, const Topology& topology);

/// The request's options, with the values of `proposal` for options that a search may vary and the
/// caller left open. All other options stay as requested.
Options accepted(const RouteRequest& request, const Options& proposal);

}  // namespace weft
