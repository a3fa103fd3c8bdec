// Describes the effect of a network on a plan, as text for people: `weft describe --network`
// and `--placement`.
#pragma once

#include <string>

#include "network/network.hpp"
#include "plan/route.hpp"

namespace weft {

/// Nodes of the topology at the first places of a network, in order. Throws an Error if the network
/// has too few places.
JobNetwork in_order(const Network& network, const Topology& topology);

/// The load of the busiest link in each exchange of forward, for the plan's grid and every other
/// grid that the planner could choose, the least first. `topology`: it has as many ranks as
/// `job` has places.
std::string describe_network(const RouteRequest& request, const Topology& topology,
                             const JobNetwork& job);

/// The loads of the plan's process grid in rank order, in column-major order and as weft::place
/// would order the ranks.
std::string describe_placement(const RouteRequest& request, const Topology& topology,
                               const JobNetwork& job);

}  // namespace weft
