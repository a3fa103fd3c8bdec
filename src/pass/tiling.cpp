// Widens tiles first along axes that are contiguous on either side, since runs shorter than a cache
// line waste memory bandwidth, then along the source's axes with the smallest strides.
#include "pass/tiling.hpp"

#include <algorithm>

#include "machine/cache_line.hpp"

namespace weft {
namespace {

/// Most tiles have one element along an axis, or all: a division takes longer than some of the
/// copies.
Index parts_along(Index extent, Index part) {
  if (part == 1) return extent;
  return extent <= part ? std::min<Index>(extent, 1) : (extent + part - 1) / part;
}

/// All axes, the one with the smallest stride last.
std::vector<int> axes_by_stride(const View& view, int axes) {
  std::vector<int> by_stride(axes);
  for (int axis = 0; axis < axes; ++axis) by_stride[axis] = axis;
  if (!view.pieces.empty())
    std::ranges::stable_sort(by_stride, std::greater<>(),
                             [&](int axis) { return view.pieces.front().strides[axis]; });
  return by_stride;
}

/// All axes except the lines' own, in the order in which tiles are widened along them.
struct WidthOrder {
  std::vector<int> axes;
  std::size_t contiguous = 0;  ///< how many of the first axes are contiguous on one side
};

WidthOrder width_order(const Shape& largest, const TileLine& line, const TilingSide& from,
                       const TilingSide& to, const std::vector<int>& by_stride) {
  WidthOrder order;
  const auto add = [&](int axis) {
    if (axis >= 0 && axis != line.axis && std::ranges::find(order.axes, axis) == order.axes.end())
      order.axes.push_back(axis);
  };
  for (const TilingSide& side : {from, to})
    if (!side.view.pieces.empty()) add(unit_axis({&side.view, 1}, largest, side.element_bytes));
  order.contiguous = order.axes.size();
  for (auto axis = by_stride.rbegin(); axis != by_stride.rend(); ++axis) add(*axis);
  return order;
}

/// The widest tile of at most `capacity` lines (more if one run of each contiguous axis needs
/// them). Grows the contiguous axes in turn, then the other axes one after the other.
Shape widest_tile(const Shape& largest, const WidthOrder& order, Index run, Index capacity) {
  auto tile = Shape::filled(largest.size(), 1);
  Index lines = 1;
  for (std::size_t i = 0; i < order.contiguous; ++i) {
    const int axis = order.axes[i];
    tile[axis] = std::clamp<Index>(largest[axis], 1, run);
    lines *= tile[axis];
  }
  const auto grow = [&](int axis) {
    const Index grown = std::min(largest[axis], 2 * tile[axis]);
    if (grown <= tile[axis] || lines / tile[axis] * grown > capacity) return false;
    lines = lines / tile[axis] * grown;
    tile[axis] = grown;
    return true;
  };
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i < order.contiguous; ++i) grew |= grow(order.axes[i]);
  }
  for (int axis : order.axes)
    while (grow(axis)) {
    }
  return tile;
}

/// Makes tiles equal instead of full ones and a small last one; keeps cache lines and batches
/// whole.
void even_out(Shape& tile, const Shape& largest, const WidthOrder& order, Index run, Index batch) {
  for (std::size_t i = 0; i < order.axes.size(); ++i) {
    const int axis = order.axes[i];
    if (largest[axis] == 0) continue;
    const Index count = parts_along(largest[axis], tile[axis]);
    const Index even = parts_along(largest[axis], count);
    const bool has_runs = i < order.contiguous;
    const Index unit = has_runs ? std::min(tile[axis], std::max(run, batch)) : batch;
    tile[axis] = count > 1 && (has_runs || even > unit) ? parts_along(even, unit) * unit : even;
  }
}

/// Depends on the total number of lines of the pass, so it is the same for all cells and tiles.
Index choose_batch(const std::vector<Box>& domains, const TileLine& line, Index capacity) {
  if (line.axis < 0) return 1;
  Index lines = 0;
  for (const Box& box : domains)
    if (!box.empty()) lines += box.volume() / box.extent(line.axis);
  Index batch = 1;
  while (2 * batch <= std::min({lines, capacity, most_lines_at_a_time})) batch *= 2;
  return batch;
}

}  // namespace

Shape largest_extents(const std::vector<Box>& domains) {
  auto largest = Shape::filled(domains.front().axes(), 0);
  for (const Box& box : domains)
    for (int axis = 0; axis < largest.size(); ++axis)
      largest[axis] = std::max(largest[axis], box.extent(axis));
  return largest;
}

bool are_empty(const std::vector<Box>& domains) {
  return std::ranges::all_of(domains, [](const Box& box) { return box.empty(); });
}

int unit_axis(std::span<const View> views, const Shape& largest, Index element_bytes) {
  for (int axis = 0; axis < largest.size(); ++axis) {
    if (largest[axis] <= 1) continue;
    const auto is_unit = [&](const Piece& piece) { return piece.strides[axis] == element_bytes; };
    if (std::ranges::all_of(
            views, [&](const View& view) { return std::ranges::all_of(view.pieces, is_unit); }))
      return axis;
  }
  return -1;
}

Index Cut::parts(const Box& domain) const {
  if (domain.empty()) return 0;
  Index count = 1;
  for (int axis : axes) count *= parts_along(domain.extent(axis), extents[axis]);
  return count;
}

Box Cut::part(const Box& domain, Index number) const {
  Box box = domain;
  for (int position = axes.size() - 1; position >= 0; --position) {
    const int axis = axes[position];
    const Index count = parts_along(domain.extent(axis), extents[axis]);
    const Index before = number < count ? 0 : number / count;
    box.lower[axis] = domain.lower[axis] + (number - before * count) * extents[axis];
    box.upper[axis] = std::min(domain.upper[axis], box.lower[axis] + extents[axis]);
    number = before;
  }
  return box;
}

Index Tiling::lines_in(const Box& box) const {
  Index last = 0;
  for (int axis : tiles.axes) last += (box.extent(axis) - 1) * line_number[axis];
  return last + 1;
}

std::size_t tile_budget(const Caches& caches) { return caches.level2 / 12; }

Tiling make_tiling(const std::vector<Box>& domains, const TileLine& line, const TilingSide& from,
                   const TilingSide& to, const Caches& caches) {
  const Shape largest = largest_extents(domains);
  const Index capacity =
      std::max<Index>(1, static_cast<Index>(tile_budget(caches)) / std::max<Index>(1, line.bytes));
  const std::vector<int> by_stride = axes_by_stride(from.view, largest.size());
  const WidthOrder order = width_order(largest, line, from, to, by_stride);
  const Index run = std::max<Index>(1, line_bytes / std::min(from.element_bytes, to.element_bytes));

  Tiling tiling;
  tiling.batch = choose_batch(domains, line, capacity);
  tiling.tiles.extents = widest_tile(largest, order, run, capacity);
  even_out(tiling.tiles.extents, largest, order, run, tiling.batch);
  for (int axis : by_stride)
    if (axis != line.axis) tiling.tiles.axes.push_back(axis);
  tiling.line_number = PerAxis<Index>::filled(largest.size(), 0);
  for (int axis : order.axes) {
    tiling.line_number[axis] = tiling.lines;
    tiling.lines *= tiling.tiles.extents[axis];
  }
  return tiling;
}

}  // namespace weft
