// Finds an order of ranks in a process grid that puts little load on the busiest link of a network.
// The loads come from exchanges along the grid's dimensions. The search is bounded, so a better
// order may exist.
#pragma once

#include <vector>

#include "network/network.hpp"

namespace weft {

/// An order of a job's ranks for a process grid.
struct Placement {
  std::vector<int> rank_at;  ///< for each position of the grid, row-major, the rank
  double load = 0;           ///< see grid_load
};

/// For each dimension of a process grid, the bytes through the busiest link while ranks that differ
/// only in this dimension exchange. Each rank has one byte. `rank_at`: as in Placement.
std::vector<double> dimension_loads(const std::vector<int>& grid, const std::vector<int>& rank_at,
                                    const JobNetwork& job);
/// The sum of the dimension loads, because the exchanges run one after the other.
double grid_load(const std::vector<int>& grid, const std::vector<int>& rank_at,
                 const JobNetwork& job);

/// The ranks in their own order.
Placement rank_order(const std::vector<int>& grid, const JobNetwork& job);
/// The grid's positions in column-major order: the first dimension is the fastest.
Placement column_major_order(const std::vector<int>& grid, const JobNetwork& job);

/// The best order that a search of bounded length finds, or rank order if none has a smaller load.
/// The same arguments give the same order. The ranks, sorted by place, are numbered by digits: the
/// rank within the node, then the digits of the place, cut into prime factors. Each digit becomes
/// part of one dimension of the grid, so that ranks that exchange form blocks of the network. A
/// digit of the place may run to and fro (a reflected code): neighbouring blocks are then mirrored,
/// so that their exchanges take short ways. The search starts from rank order and from column-major
/// order. It exchanges two digits or reverses one order as long as that reduces the load.
Placement find_placement(const std::vector<int>& grid, const JobNetwork& job);

}  // namespace weft
