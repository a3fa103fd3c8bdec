// What a network means for a plan, as text for people: `weft describe --network` and `--placement`.
#pragma once

#include <string>

#include "network/network.hpp"
#include "plan/route.hpp"

namespace weft {

/// Nodes of the topology at the first places of a network, in order. Throws an Error where it has
/// too few.
JobNetwork in_order(const Network& network, const Topology& topology);

/// The load of the busiest link in each exchange of forward, and in those of every other grid that
/// the planner could choose, the least first. `topology`: with as many ranks as `job` has places.
std::string describe_network(const RouteRequest& request, const Topology& topology,
                             const JobNetwork& job);

/// The loads of the plan's process grid in rank order, in column-major order and as weft::place
/// would order the ranks.
std::string describe_placement(const RouteRequest& request, const Topology& topology,
                               const JobNetwork& job);

}  // namespace weft
