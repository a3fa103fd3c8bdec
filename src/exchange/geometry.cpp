// Overlaps of layouts. Between grid layouts, groups follow from the grid dimensions that do not
// change, so that even the largest jobs need no search; otherwise groups are the connected
// components of the overlap graph.
#include "exchange/geometry.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "layout/partition.hpp"

namespace weft {
namespace {

/// Whether two partitions of an axis cut it into `parts` parts at the same places. Each part may be
/// cut further.
bool same_parts(const std::vector<Index>& before, const std::vector<Index>& after,
                std::size_t parts) {
  const std::size_t step = (before.size() - 1) / parts, other_step = (after.size() - 1) / parts;
  for (std::size_t part = 0; part <= parts; ++part)
    if (before[part * step] != after[part * other_step]) return false;
  return true;
}

/// Grid dimensions that split the same axis, after the same coarser dimensions, in both layouts.
/// Data move only between ranks with equal coordinates in all of these dimensions.
std::vector<bool> resting_dimensions(const Layout& from, const Layout& to) {
  const std::vector<int>& grid = from.process_grid();
  std::vector<bool> resting(grid.size(), false);
  for (int axis = 0; axis < from.global().size(); ++axis) {
    const auto& before = from.split()[axis];
    const auto& after = to.split()[axis];
    std::size_t parts = 1;
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
      if (before[i] != after[i]) break;
      parts *= static_cast<std::size_t>(grid[before[i]]);
      if (!same_parts(from.cuts(axis), to.cuts(axis), parts)) break;
      resting[before[i]] = true;
    }
  }
  return resting;
}

bool on_one_grid(const Layout& from, const Layout& to) {
  return from.has_grid() && to.has_grid() && from.process_grid() == to.process_grid() &&
         from.stride_of_ranks() == to.stride_of_ranks();
}

/// All ranks whose positions have the coordinates `at` in the resting dimensions, ascending.
std::vector<int> grid_group(const Layout& layout, const std::vector<bool>& resting,
                            const std::vector<int>& at) {
  const std::vector<int>& grid = layout.process_grid();
  std::vector<int> group{0};
  for (std::size_t d = 0; d < grid.size(); ++d) {
    std::vector<int> grown;
    for (int prefix : group)
      for (int c = resting[d] ? at[d] : 0; c < (resting[d] ? at[d] + 1 : grid[d]); ++c)
        grown.push_back(prefix * grid[d] + c);
    group = std::move(grown);
  }
  for (int& member : group) member *= layout.stride_of_ranks();
  return group;
}

std::vector<int> connected_group(const Layout& from, const Layout& to, int rank) {
  const int ranks = from.ranks();
  if (from.box(rank).empty() && to.box(rank).empty()) return {rank};
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

/// Finds the groups of many ranks, and computes their common part once.
class GroupFinder {
 public:
  GroupFinder(const Layout& from, const Layout& to)
      : from_(from), to_(to), on_grid_(on_one_grid(from, to)) {
    if (on_grid_) resting_ = resting_dimensions(from, to);
  }
  std::vector<int> group_of(int rank) const {
    if (!on_grid_) return connected_group(from_, to_, rank);
    const int position = from_.position_of(rank);
    if (position < 0) return {rank};
    return grid_group(from_, resting_, coordinates_of(position, from_.process_grid()));
  }

 private:
  const Layout& from_;
  const Layout& to_;
  bool on_grid_;
  std::vector<bool> resting_;
};

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

std::vector<int> Geometry::group_of(int rank) const { return GroupFinder(from, to).group_of(rank); }

void Geometry::for_each_group(const std::function<void(const std::vector<int>&)>& visit) const {
  const GroupFinder finder(from, to);
  std::vector<bool> found(static_cast<std::size_t>(from.ranks()), false);
  for (int rank = 0; rank < from.ranks(); ++rank) {
    if (found[rank]) continue;
    const std::vector<int> group = finder.group_of(rank);
    for (const int member : group) found[member] = true;
    visit(group);
  }
}

namespace {

/// The longest overlap along an axis between any box of one side and any box of the other.
Index longest_overlap(const std::vector<Box>& boxes, const std::vector<Box>& others, int axis) {
  const auto ranges_of = [&](const std::vector<Box>& of) {
    std::set<std::pair<Index, Index>> ranges;
    for (const Box& box : of) ranges.insert({box.lower[axis], box.upper[axis]});
    return ranges;
  };
  Index longest = 0;
  const auto opposite = ranges_of(others);
  for (const auto& [begin, end] : ranges_of(boxes))
    for (const auto& [other_begin, other_end] : opposite)
      longest = std::max(longest, std::min(end, other_end) - std::max(begin, other_begin));
  return longest;
}

}  // namespace

Index Geometry::largest_block(const std::vector<int>& group, int k, int j) const {
  if (on_one_grid(from, to) && kept.empty()) {
    // Every grid dimension splits only one axis, so some pair of ranks has the longest overlap
    // along all axes at once.
    std::vector<Box> sources, destinations;
    for (int rank : group) sources.push_back(produced(rank, k));
    for (int rank : group) destinations.push_back(consumed(rank, j));
    Index volume = 1;
    for (int axis = 0; axis < from.global().size(); ++axis)
      volume *= longest_overlap(sources, destinations, axis);
    return volume;
  }
  Index largest = 0;
  for (int source : group)
    for (int destination : group)
      largest = std::max(largest, block_volume(source, destination, k, j));
  return largest;
}

bool Geometry::stays() const { return from.has_boxes_of(to); }

bool Geometry::is_within_nodes(const Topology& topology) const {
  if (topology.nodes() == 1) return true;
  if (!on_one_grid(from, to)) {
    for (int rank = 0; rank < from.ranks(); ++rank)
      for (int other : connected_group(from, to, rank))
        if (topology.node_of(other) != topology.node_of(rank)) return false;
    return true;
  }
  const std::vector<bool> resting = resting_dimensions(from, to);
  const std::vector<int>& grid = from.process_grid();
  Index size = 1;
  for (std::size_t d = 0; d < grid.size(); ++d) size *= resting[d] ? 1 : grid[d];
  if (size > topology.most_ranks_on_a_node()) return false;
  for (int position = 0; position < from.positions(); ++position) {
    // The first of a group has coordinate 0 in all dimensions that do not rest.
    int first = 0;
    for (std::size_t d = grid.size(), left = static_cast<std::size_t>(position), stride = 1;
         d-- > 0;) {
      const auto count = static_cast<std::size_t>(grid[d]);
      if (resting[d]) first += static_cast<int>(left % count * stride);
      left /= count;
      stride *= count;
    }
    if (topology.node_of(first * from.stride_of_ranks()) !=
        topology.node_of(position * from.stride_of_ranks()))
      return false;
  }
  return true;
}

Geometry::Traffic Geometry::sent_by(int rank) const {
  Traffic traffic;
  for (int other : group_of(rank)) {
    const Index bytes = other == rank ? 0 : bytes_between(rank, other);
    if (bytes == 0) continue;
    traffic.bytes += bytes;
    ++traffic.messages;
  }
  return traffic;
}

Index Geometry::bytes_between(int source, int destination) const {
  return volume_of(kept_of(intersect(from.box(source), to.box(destination)))) * element.bytes();
}

bool may_align(const Layout& from, const Layout& to, int axis) {
  if (on_one_grid(from, to) && !from.has_empty_positions() && !to.has_empty_positions()) {
    const auto splitting = [&](const Layout& layout) {
      std::vector<int> dimensions = layout.split()[axis];
      std::erase_if(dimensions, [&](int d) { return layout.process_grid()[d] == 1; });
      return dimensions;
    };
    return splitting(from) == splitting(to) && from.cuts(axis) == to.cuts(axis);
  }
  std::set<std::pair<Index, Index>> parts;
  for (int rank = 0; rank < from.ranks(); ++rank) {
    const Box before = from.box(rank), after = to.box(rank);
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
