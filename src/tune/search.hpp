// Settling what a request leaves open: by wisdom, by a search, or by the model.
#pragma once

#include <functional>
#include <vector>
#include <weft/tune.hpp>

#include "plan/choice.hpp"
#include "session/job.hpp"

namespace weft {

/// Sets the options left open, and says where they came from. Collective; the request has passed
/// check_request.
Choice choose(const Job& job, RouteRequest& request);

/// Trials of whole transforms, the best first, which is kept as wisdom. Collective, and so is
/// `report`.
std::vector<Trial> search(const Job& job, const RouteRequest& request, double seconds,
                          const std::function<void(const Trial&)>& report);

}  // namespace weft
