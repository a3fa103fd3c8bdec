// What the exchanges of a plan put on the busiest link of a network: the time that no method can
// beat, if messages take the network's routes.
#pragma once

#include "exchange/geometry.hpp"
#include "network/link_loads.hpp"

namespace weft {

/// Bytes through the busiest link. Each rank's part is spread over its group in proportion to what
/// each member holds afterwards, which is exact for exchanges along one dimension of a process
/// grid; parts are taken to be equal where detail_for says bundles.
BusiestLink busiest_link(const Geometry& geometry, const JobNetwork& job);

/// The same for an all-to-all among all ranks in which each has one byte for all together.
double all_to_all_load(const JobNetwork& job);

}  // namespace weft
