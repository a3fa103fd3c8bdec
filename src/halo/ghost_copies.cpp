// Along each axis, ghost cells and box are cut where the array wraps around; the products of these
// parts are boxes of cells with one shift.
#include "halo/ghost_copies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft {
namespace {

/// Cells along one axis: [begin, end) of the array, which stand at begin + shift.
struct Part {
  Index begin;
  Index end;
  Index shift;
  bool is_ghost;
};

/// The part [begin, end) beside the box, cut at the ends of an axis of `length`.
void add_ghosts(std::vector<Part>& parts, Index begin, Index end, Index length, bool periodic) {
  if (!periodic) {
    begin = std::clamp<Index>(begin, 0, length);
    end = std::clamp<Index>(end, 0, length);
  }
  while (begin < end) {
    const Index turns = begin >= 0 ? begin / length : -((length - 1 - begin) / length);
    const Index stop = std::min(end, (turns + 1) * length);
    parts.push_back({begin - turns * length, stop - turns * length, turns * length, true});
    begin = stop;
  }
}

std::vector<Part> parts_along(const Layout& layout, const GhostCells& cells, const Box& box,
                              int axis) {
  const Index length = layout.global()[axis];
  std::vector<Part> parts;
  add_ghosts(parts, box.lower[axis] - cells.below[axis], box.lower[axis], length,
             cells.periodic[axis]);
  parts.push_back({box.lower[axis], box.upper[axis], 0, false});
  add_ghosts(parts, box.upper[axis], box.upper[axis] + cells.above[axis], length,
             cells.periodic[axis]);
  return parts;
}

void require_counts(const PerAxis<Index>& counts, int axes, const char* name) {
  if (counts.size() != axes || std::ranges::any_of(counts, [](Index count) { return count < 0; }))
    throw Error(
        fmt::format("ghost cells {} {}: valid is a number of at least 0 for each of the {} axes",
                    name, fmt::join(counts, ", "), axes));
}

}  // namespace

std::vector<GhostCopy> ghost_copies(const Layout& layout, const GhostCells& cells, int source,
                                    int target) {
  const Box box = layout.box(target), held = layout.box(source);
  const int axes = box.axes();
  std::vector<GhostCopy> copies;
  if (box.empty() || held.empty()) return copies;
  std::vector<std::vector<Part>> parts;
  for (int axis = 0; axis < axes; ++axis) parts.push_back(parts_along(layout, cells, box, axis));
  std::vector<std::size_t> chosen(static_cast<std::size_t>(axes), 0);
  for (;;) {
    GhostCopy copy{held, Point::filled(axes, 0)};
    int outside = 0;
    for (int axis = 0; axis < axes; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const Part& part = parts[a][chosen[a]];
      copy.from.lower[axis] = std::max(held.lower[axis], part.begin);
      copy.from.upper[axis] = std::min(held.upper[axis], part.end);
      copy.shift[axis] = part.shift;
      outside += part.is_ghost;
    }
    const bool is_wanted = outside == 1 || (outside > 1 && cells.corners);
    if (is_wanted && !copy.from.empty()) copies.push_back(copy);
    int axis = axes - 1;
    for (; axis >= 0; --axis) {
      const auto a = static_cast<std::size_t>(axis);
      if (++chosen[a] < parts[a].size()) break;
      chosen[a] = 0;
    }
    if (axis < 0) return copies;
  }
}

Layout with_room(const Layout& layout, const GhostCells& cells) {
  const int axes = layout.global().size();
  require_counts(cells.below, axes, "below");
  require_counts(cells.above, axes, "above");
  if (cells.periodic.size() != axes)
    throw Error(
        fmt::format("ghost cells: periodic has {} entries; valid is one for each of the {} axes",
                    cells.periodic.size(), axes));
  PerAxis<Index> room = cells.below;
  for (int axis = 0; axis < axes; ++axis) room[axis] += cells.above[axis];
  if (!layout.has_gaps()) return layout.padded(room);
  for (int axis = 0; axis < layout.padding().size(); ++axis)
    if (layout.padding()[axis] < room[axis])
      throw Error(fmt::format(
          "ghost cells: axis {} has {}, and the layout room for {} more elements than its box; "
          "valid is a layout without gaps, or one that is padded by at least {} there",
          axis, room[axis], layout.padding()[axis], room[axis]));
  return layout;
}

}  // namespace weft
