// Measures the distances between a job's nodes, for networks whose description
// does not place the nodes.
#pragma once

#include <vector>

#include "job/job.hpp"

namespace weft {

/// Seconds of a small message between the first ranks of every two nodes, row by row, with nodes in
/// the order of these ranks. The diagonal is 0; the result is empty on all ranks but rank 0.
/// Collective; throws on all ranks if there are more than 1,024 nodes. All pairs of a step measure
/// at the same time, and each takes the shortest of several round trips. The measurement takes a
/// tenth of a second.
std::vector<double> node_distances(const Job& job);

}  // namespace weft
