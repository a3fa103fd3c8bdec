// Overlaps of layouts. Between grid layouts groups follow from the grid dimensions that stay put,
// so that the largest jobs need no search; otherwise they are the connected parts of the overlap
// graph.
#include "exchange/geometry.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "layout/partition.hpp"

namespace weft {
namespace {

/// Grid dimensions that split the same axis behind the same coarser dimensions in both layouts:
/// ranks with equal coordinates in all of them never leave each other.
std::vector<bool> resting_dimensions(const Layout& from, const Layout& to) {
  std::vector<bool> resting(from.process_grid().size(), false);
  for (int axis = 0; axis < from.global().size(); ++axis) {
    const auto& before = from.split()[axis];
    const auto& after = to.split()[axis];
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
      if (before[i] != after[i]) break;
      resting[before[i]] = true;
    }
  }
  return resting;
}

std::vector<int> grid_group(const Layout& from, const Layout& to, int rank) {
  const auto& grid = from.process_grid();
  const std::vector<bool> resting = resting_dimensions(from, to);
  const std::vector<int> mine = coordinates_of(rank, grid);
  // All ranks that agree with this one in the resting dimensions, counted up through the others.
  std::vector<int> group{0};
  for (std::size_t d = 0; d < grid.size(); ++d) {
    std::vector<int> grown;
    for (int prefix : group)
      for (int c = resting[d] ? mine[d] : 0; c < (resting[d] ? mine[d] + 1 : grid[d]); ++c)
        grown.push_back(prefix * grid[d] + c);
    group = std::move(grown);
  }
  return group;
}

std::vector<int> connected_group(const Layout& from, const Layout& to, int rank) {
  const int ranks = from.ranks();
  std::vector<bool> found(ranks, false);
  std::vector<int> group{rank};
  found[rank] = true;
  for (std::size_t next = 0; next < group.size(); ++next)
    for (int other = 0; other < ranks; ++other)
      if (!found[other] && (!intersect(from.box(group[next]), to.box(other)).empty() ||
                            !intersect(from.box(other), to.box(group[next])).empty())) {
        found[other] = true;
        group.push_back(other);
      }
  std::ranges::sort(group);
  return group;
}

Index volume_of(const std::vector<Box>& boxes) {
  Index sum = 0;
  for (const Box& box : boxes) sum += box.volume();
  return sum;
}

}  // namespace

Box Geometry::produced(int rank, int k) const {
  return part_of(from.box(rank), producer.axis, producer.count, k);
}

Box Geometry::consumed(int rank, int j) const {
  return part_of(to.box(rank), consumer.axis, consumer.count, j);
}

std::vector<Box> Geometry::kept_of(const Box& box) const {
  std::vector<Box> parts;
  if (kept.empty()) {
    if (!box.empty()) parts.push_back(box);
    return parts;
  }
  for (const Box& column : kept)
    if (Box part = intersect(box, column); !part.empty()) parts.push_back(std::move(part));
  return parts;
}

std::vector<Box> Geometry::block(int source, int destination, int k, int j) const {
  return kept_of(intersect(produced(source, k), consumed(destination, j)));
}

Index Geometry::block_volume(int source, int destination, int k, int j) const {
  return volume_of(block(source, destination, k, j));
}

std::vector<int> Geometry::group_of(int rank) const {
  if (from.has_grid() && to.has_grid() && from.process_grid() == to.process_grid())
    return grid_group(from, to, rank);
  return connected_group(from, to, rank);
}

Geometry::Traffic Geometry::sent_by(int rank) const {
  Traffic traffic;
  for (int other : group_of(rank)) {
    const Index elements =
        other == rank ? 0 : volume_of(kept_of(intersect(from.box(rank), to.box(other))));
    if (elements == 0) continue;
    traffic.bytes += elements * element.bytes();
    ++traffic.messages;
  }
  return traffic;
}

bool may_align(const Layout& from, const Layout& to, int axis) {
  std::set<std::pair<Index, Index>> parts;
  for (int rank = 0; rank < from.ranks(); ++rank) {
    const Box& before = from.box(rank);
    const Box& after = to.box(rank);
    if (before.empty() != after.empty()) return false;
    if (before.empty()) continue;
    if (before.lower[axis] != after.lower[axis] || before.upper[axis] != after.upper[axis])
      return false;
    parts.insert({before.lower[axis], before.upper[axis]});
  }
  Index end = 0;
  return std::ranges::all_of(
      parts, [&](const auto& part) { return part.first >= std::exchange(end, part.second); });
}

}  // namespace weft
