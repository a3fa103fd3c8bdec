// Settles the options that a request leaves open: from wisdom if there is any, by a timed search if
// the request asks for one, else by the cost model, which costs no trials.
#pragma once

#include <functional>
#include <vector>
#include <weft/tune.hpp>

#include "job/job.hpp"
#include "plan/choice.hpp"
#include "session/session.hpp"

namespace weft {

/// Sets the options left open. Collective; `routes`: made by check_request for the request; they
/// are made again only for other options.
PlannedRequest choose(const Job& job, RouteRequest request, Routes routes);

/// Times whole transforms; returns the trials, the best first, and stores the best as wisdom.
/// Collective; `report` is called on all ranks after each trial.
std::vector<Trial> search(const Job& job, const RouteRequest& request, double seconds,
                          const std::function<void(const Trial&)>& report);

}  // namespace weft
