// Where ranks of a process grid should be in a network: which exchange along the grid's dimensions
// puts how much on the busiest link, and a search for an order of ranks that puts less there.
#pragma once

#include <vector>

#include "network/network.hpp"

namespace weft {

/// An order of a job's ranks for a process grid.
struct Placement {
  std::vector<int> rank_at;  ///< for each position of the grid, row-major, the rank
  double load = 0;           ///< see grid_load
};

/// For each dimension of a process grid, an exchange among the ranks that differ only in it: the
/// bytes through the busiest link, where each rank has one byte. `rank_at`: as in Placement.
std::vector<double> dimension_loads(const std::vector<int>& grid, const std::vector<int>& rank_at,
                                    const JobNetwork& job);
/// The sum of these: one exchange after the other.
double grid_load(const std::vector<int>& grid, const std::vector<int>& rank_at,
                 const JobNetwork& job);

/// The ranks in their own order.
Placement rank_order(const std::vector<int>& grid, const JobNetwork& job);
/// The grid's positions in column-major order: the first dimension is the fastest.
Placement column_major_order(const std::vector<int>& grid, const JobNetwork& job);

/// The best order that a search of bounded length finds, or rank order if none has a smaller load.
/// The same for the same arguments. The ranks, sorted by place, are numbered by digits: the rank
/// within the node, then the digits of the place, cut into prime factors. Each digit becomes part
/// of one dimension of the grid, so that the ranks that exchange form blocks of the network, and a
/// digit of the place may run to and fro (a reflected code), so that blocks side by side are
/// mirrored and what they exchange takes short ways. The search starts from rank order and
/// column-major order, and exchanges two digits or turns one order round while that helps.
Placement find_placement(const std::vector<int>& grid, const JobNetwork& job);

}  // namespace weft
