// Recognises a process grid in boxes that callers give one by one, so that plans exchange among
// rows and columns of the grid instead of among all ranks.
#include <algorithm>
#include <functional>
#include <numeric>

#include "layout/partition.hpp"

namespace weft {
namespace {

/// Where the boxes begin along an axis, ascending, and the end of the axis.
std::vector<Index> cuts_between(const std::vector<Box>& boxes, int axis, Index length) {
  std::vector<Index> cuts;
  for (const Box& box : boxes) cuts.push_back(box.lower[axis]);
  cuts.push_back(length);
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// The number of the part that begins there.
int part_at(const std::vector<Index>& cuts, Index begin) {
  return static_cast<int>(std::ranges::lower_bound(cuts, begin) - cuts.begin());
}

/// The axes that are cut, from the one along which the rank grows in the largest steps.
std::vector<int> cut_axes(const std::vector<Box>& boxes, const PerAxis<std::vector<Index>>& cuts) {
  std::vector<std::pair<int, int>> steps;  // the first rank of the second part, and the axis
  for (int axis = 0; axis < cuts.size(); ++axis) {
    if (cuts[axis].size() == 2) continue;
    const auto second = std::ranges::find_if(
        boxes, [&](const Box& box) { return box.lower[axis] == cuts[axis][1]; });
    steps.emplace_back(static_cast<int>(second - boxes.begin()), axis);
  }
  std::ranges::sort(steps, std::greater<>());
  std::vector<int> axes;
  for (const auto& [rank, axis] : steps) axes.push_back(axis);
  return axes;
}

/// Whether each rank holds the box of its row-major position.
bool hold_positions(const GridOfBoxes& found, const std::vector<int>& axes,
                    const std::vector<Box>& boxes) {
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    std::size_t position = 0;
    for (int axis = 0; axis < found.cuts.size(); ++axis) {
      const std::vector<Index>& cuts = found.cuts[axis];
      const int part = part_at(cuts, boxes[rank].lower[axis]);
      if (boxes[rank].upper[axis] != cuts[static_cast<std::size_t>(part) + 1]) return false;
    }
    for (const int axis : axes) {
      const std::vector<Index>& cuts = found.cuts[axis];
      position = position * (cuts.size() - 1) +
                 static_cast<std::size_t>(part_at(cuts, boxes[rank].lower[axis]));
    }
    if (position != rank) return false;
  }
  return true;
}

/// The rule that makes the same cuts.
Partition rule_of(const Shape& global, const GridOfBoxes& found) {
  for (const Partition rule :
       {Partition::balanced, Partition::blocks, Partition::longer_first, Partition::longer_last}) {
    bool is_same = true;
    for (int axis = 0; axis < global.size() && is_same; ++axis)
      is_same = cuts_of(global[axis], {static_cast<int>(found.cuts[axis].size()) - 1}, rule) ==
                found.cuts[axis];
    if (is_same) return rule;
  }
  return Partition::balanced;
}

}  // namespace

std::optional<GridOfBoxes> find_grid(const Shape& global, const std::vector<Box>& boxes) {
  if (std::ranges::any_of(boxes, &Box::empty)) return {};
  GridOfBoxes found;
  double positions = 1;
  for (int axis = 0; axis < global.size(); ++axis) {
    found.cuts.push_back(cuts_between(boxes, axis, global[axis]));
    positions *= static_cast<double>(found.cuts[axis].size() - 1);
  }
  if (positions != static_cast<double>(boxes.size())) return {};
  std::vector<int> axes = cut_axes(boxes, found.cuts);
  if (!hold_positions(found, axes, boxes)) return {};
  if (axes.empty()) axes.push_back(0);  // one rank: a grid of one
  found.split = PerAxis<std::vector<int>>::filled(global.size(), {});
  for (const int axis : axes) {
    found.split[axis] = {static_cast<int>(found.grid.size())};
    found.grid.push_back(static_cast<int>(found.cuts[axis].size()) - 1);
  }
  found.partition = rule_of(global, found);
  return found;
}

}  // namespace weft
