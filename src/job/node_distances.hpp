// How far apart the nodes of a job are, measured: for networks whose description does not say which
// node is where.
#pragma once

#include <vector>

#include "job/job.hpp"

namespace weft {

/// Seconds of a small message between the first ranks of every two nodes, row by row, the nodes in
/// the order of those ranks; 0 on the diagonal, and everything empty but on rank 0. Collective;
/// throws on all ranks if there are more than 1,024 nodes. All pairs of a step measure at the same
/// time, and each takes the shortest of several round trips, so it lasts a tenth of a second.
std::vector<double> node_distances(const Job& job);

}  // namespace weft
