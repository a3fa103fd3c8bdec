// The rules for shapes, process grids and boxes. A sweep along axis 0 finds boxes that overlap:
// quick where few boxes hold the same plane, quadratic where all do.
#include "layout/layout_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <weft/layout.hpp>

namespace weft {
namespace {

// A layout stores a list of cuts for each axis, with an entry for each part.
constexpr double most_parts = 1 << 22;

}  // namespace

void check_shape(const Shape& global) {
  if (global.empty()) throw Error("shape: no axes; valid is 1 to 8 lengths of at least 1");
  __int128 product = 1;
  for (Index length : global) {
    if (length < 1)
      throw Error(fmt::format("shape {}: length {} is less than 1", to_string(global), length));
    product *= length;
    if (product > most_elements)
      throw Error(fmt::format("shape {}: more than 2^58 elements", to_string(global)));
  }
}

void check_grid(const std::vector<int>& grid) {
  if (grid.size() > most_dimensions)
    throw Error(fmt::format("process grid: has {} dimensions; at most {} are supported",
                            grid.size(), most_dimensions));
  for (int count : grid)
    if (count < 1)
      throw Error(
          fmt::format("process grid {}: every count must be at least 1", fmt::join(grid, "x")));
  double ranks = 1;
  for (int count : grid) ranks *= count;
  if (ranks > std::numeric_limits<int>::max())
    throw Error(
        fmt::format("process grid {}: more ranks than MPI can number", fmt::join(grid, "x")));
}

void check_split(const Shape& global, const std::vector<int>& grid,
                 const PerAxis<std::vector<int>>& split) {
  if (grid.empty()) throw Error("process grid: has no dimensions; valid is one or more counts");
  if (split.size() != global.size())
    throw Error(fmt::format("split: has {} axes; shape {} has {}", split.size(), to_string(global),
                            global.size()));
  std::vector<int> uses(grid.size(), 0);
  for (const std::vector<int>& dimensions : split)
    for (int dimension : dimensions) {
      if (dimension < 0 || dimension >= static_cast<int>(grid.size()))
        throw Error(fmt::format("split: {} is not a dimension of the process grid {}", dimension,
                                fmt::join(grid, "x")));
      ++uses[dimension];
    }
  for (int axis = 0; axis < global.size(); ++axis) {
    double parts = 1;
    for (int dimension : split[axis]) parts *= grid[dimension];
    if (parts > most_parts)
      throw Error(
          fmt::format("process grid {}: cuts axis {} into {:.0f} parts; at most {:.0f} are "
                      "supported",
                      fmt::join(grid, "x"), axis, parts, most_parts));
  }
  for (std::size_t dimension = 0; dimension < grid.size(); ++dimension)
    if (uses[dimension] != 1)
      throw Error(fmt::format("process grid {}: dimension {} splits {} axes; each must split one",
                              fmt::join(grid, "x"), dimension, uses[dimension]));
}

void check_disjoint(const std::vector<Box>& boxes) {
  std::vector<int> by_lower;
  for (int rank = 0; rank < static_cast<int>(boxes.size()); ++rank)
    if (!boxes[rank].empty()) by_lower.push_back(rank);
  std::ranges::sort(by_lower, {}, [&](int rank) { return boxes[rank].lower[0]; });
  for (std::size_t i = 0; i < by_lower.size(); ++i) {
    const Box& box = boxes[by_lower[i]];
    for (std::size_t j = i + 1; j < by_lower.size(); ++j) {
      const Box& other = boxes[by_lower[j]];
      if (other.lower[0] >= box.upper[0]) break;
      if (!intersect(box, other).empty())
        throw Error(
            fmt::format("boxes: rank {} holds {} and rank {} holds {}, which overlap; boxes "
                        "must be disjoint",
                        by_lower[i], to_string(box), by_lower[j], to_string(other)));
    }
  }
}

int checked_axis(const Shape& global, int axis, const char* form) {
  if (axis < -global.size() || axis >= global.size())
    throw Error(
        fmt::format("{}: axis {} is not an axis of shape {}", form, axis, to_string(global)));
  return axis < 0 ? axis + global.size() : axis;
}

void check_entries(const PerAxis<Index>& entries, int axes, Index least, const char* name) {
  if (entries.size() != axes ||
      std::ranges::any_of(entries, [&](Index entry) { return entry < least; }))
    throw Error(fmt::format("{} {}: must be a number of at least {} for each of the {} axes", name,
                            fmt::join(entries, ", "), least, axes));
}

}  // namespace weft
