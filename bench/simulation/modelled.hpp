// What Weft's model says of a job on the network that is simulated.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <weft/weft.hpp>

#include "network/network.hpp"
#include "plan/route.hpp"

namespace weft::simulation {

/// Seconds of one forward transform: `modelled_seconds` if computation takes no time,
/// `modelled_total_seconds` with what WEFT_FIGURES says of it, and `load_seconds` of the busiest
/// links.
nlohmann::json modelled(const Route& route, const std::optional<JobNetwork>& network);

/// The same of a job of any number of ranks that is not simulated, on the network of WEFT_NETWORK,
/// if that is set; `placed`: in the order of weft::place for the request's grid.
nlohmann::json modelled_job(const Request& request, int ranks, bool placed);

}  // namespace weft::simulation
