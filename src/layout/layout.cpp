// Makes layouts from process grids or from the caller's boxes, which layout_checks.cpp judges
// first.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <weft/layout.hpp>

#include "layout/layout_checks.hpp"
#include "layout/partition.hpp"

namespace weft {
namespace {

/// Parts of a cyclic axis are its classes; those of a scrambled axis consist of whole classes.
void check_cuts_of_classes(const Layout& layout, int axis, const std::vector<Index>& cuts) {
  if (!layout.is_dealt(axis) || cuts == layout.cuts(axis)) return;
  if (!layout.is_scrambled(axis))
    throw Error(
        fmt::format("cut_at: axis {} is dealt out to its parts; valid are other partitions", axis));
  const Index class_length = layout.global()[axis] / layout.classes(axis);
  if (std::ranges::any_of(cuts, [&](Index cut) { return cut % class_length != 0; }))
    throw Error(fmt::format("cut_at: axis {} is scrambled by {}; valid cuts are multiples of {}",
                            axis, layout.classes(axis), class_length));
}

}  // namespace

Layout Layout::grid(const Shape& global, std::vector<int> grid, PerAxis<std::vector<int>> split,
                    Partition partition) {
  check_shape(global);
  check_grid(grid);
  check_split(global, grid, split);
  Layout layout;
  layout.global_ = global;
  layout.order_ = natural_order(global.size());
  layout.positions_ = std::accumulate(grid.begin(), grid.end(), 1, std::multiplies<>());
  layout.ranks_ = layout.positions_;
  PerAxis<std::vector<Index>> cuts;
  for (int axis = 0; axis < global.size(); ++axis) {
    std::vector<int> counts;
    for (int dimension : split[axis]) counts.push_back(grid[dimension]);
    cuts.push_back(cuts_of(global[axis], counts, partition));
  }
  layout.cuts_ = std::make_shared<const PerAxis<std::vector<Index>>>(std::move(cuts));
  layout.grid_ = std::move(grid);
  layout.split_ = std::move(split);
  layout.partition_ = partition;
  if (partition == Partition::cyclic)
    for (int axis = 0; axis < global.size(); ++axis)
      layout.classes_.push_back(std::ssize(layout.cuts(axis)) - 1);
  return layout;
}

Layout Layout::partitioned(Partition partition) const {
  if (!has_grid())
    throw Error("partitioned: only a layout made from a process grid can be cut by another rule");
  const Layout result =
      grid(global_, grid_, split_, partition).ordered(order_).spread(ranks_, stride_of_ranks_);
  if (!padding_.empty()) return result.padded(padding_);
  return strides_.empty() ? result : result.strided(strides_);
}

Layout Layout::cut_at(PerAxis<std::vector<Index>> cuts) const {
  if (!has_grid()) throw Error("cut_at: only a layout made from a process grid can be cut");
  bool valid = cuts.size() == global_.size();
  for (int axis = 0; valid && axis < cuts.size(); ++axis)
    valid = cuts[axis].size() == this->cuts(axis).size() && std::ranges::is_sorted(cuts[axis]) &&
            cuts[axis].front() == 0 && cuts[axis].back() == global_[axis];
  for (int axis = 0; valid && axis < cuts.size(); ++axis)
    check_cuts_of_classes(*this, axis, cuts[axis]);
  if (!valid)
    throw Error(
        fmt::format("cut_at: every axis of {} needs as many cuts as it has, in ascending "
                    "order from 0 to its length",
                    to_string(*this)));
  Layout result = *this;
  result.cuts_ = std::make_shared<const PerAxis<std::vector<Index>>>(std::move(cuts));
  return result;
}

Layout Layout::slabs(const Shape& global, int ranks, int axis) {
  check_shape(global);
  auto split = PerAxis<std::vector<int>>::filled(global.size(), {});
  split[checked_axis(global, axis, "slabs")] = {0};
  return grid(global, {ranks}, std::move(split));
}

Layout Layout::pencils(const Shape& global, const PerAxis<int>& grid, int local_axis) {
  check_shape(global);
  if (global.size() < 3)
    throw Error(
        fmt::format("pencils: shape {} has fewer than 3 axes; use slabs", to_string(global)));
  if (grid.size() != 2)
    throw Error(fmt::format("pencils: the grid {} must be two counts", fmt::join(grid, "x")));
  local_axis = checked_axis(global, local_axis, "pencils");
  auto split = PerAxis<std::vector<int>>::filled(global.size(), {});
  int dimension = 0;
  for (int axis = 0; axis < global.size() && dimension < 2; ++axis)
    if (axis != local_axis) split[axis] = {dimension++};
  return Layout::grid(global, {grid.begin(), grid.end()}, std::move(split));
}

Layout Layout::bricks(const Shape& global, const PerAxis<int>& grid) {
  check_shape(global);
  if (grid.size() != global.size())
    throw Error(fmt::format("bricks: the grid {} must have one count for each axis of shape {}",
                            fmt::join(grid, "x"), to_string(global)));
  PerAxis<std::vector<int>> split;
  for (int axis = 0; axis < global.size(); ++axis) split.push_back({axis});
  return Layout::grid(global, {grid.begin(), grid.end()}, std::move(split));
}

Layout Layout::cyclic(const Shape& global, const PerAxis<int>& grid) {
  return bricks(global, grid).partitioned(Partition::cyclic);
}

Layout Layout::scrambled(Index length, Index classes, int ranks) {
  if (classes < 1 || length % classes != 0)
    throw Error(
        fmt::format("scrambled: {} classes; valid are divisors of the length {}", classes, length));
  Layout layout = slabs({length}, ranks);
  std::vector<Index> cuts = cuts_of(classes, {ranks}, Partition::balanced);
  for (Index& cut : cuts) cut *= length / classes;
  layout = layout.cut_at({std::move(cuts)});
  layout.classes_ = {classes};
  return layout;
}

Layout Layout::boxes(const Shape& global, std::vector<Box> boxes) {
  check_shape(global);
  if (boxes.empty()) throw Error("boxes: none given; valid is one box for every rank");
  Index covered = 0;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    const Box& box = boxes[rank];
    if (box.lower.size() != global.size() || box.upper.size() != global.size())
      throw Error(fmt::format("boxes: that of rank {} has {} axes; shape {} has {}", rank,
                              box.axes(), to_string(global), global.size()));
    if (box.empty()) continue;
    if (!Box::whole(global).contains(box))
      throw Error(fmt::format("boxes: rank {} holds {}, which is not inside shape {}", rank,
                              to_string(box), to_string(global)));
    covered += box.volume();
  }
  check_disjoint(boxes);
  if (covered != volume(global))
    throw Error(
        fmt::format("boxes: they hold {} of the {} elements of shape {}; every element must "
                    "be in a box",
                    covered, volume(global), to_string(global)));
  if (auto found = find_grid(global, boxes))
    return grid(global, std::move(found->grid), std::move(found->split), found->partition)
        .cut_at(std::move(found->cuts));
  Layout layout;
  layout.global_ = global;
  layout.order_ = natural_order(global.size());
  layout.ranks_ = static_cast<int>(boxes.size());
  layout.boxes_ = std::make_shared<const std::vector<Box>>(std::move(boxes));
  return layout;
}

Layout Layout::ordered(const Order& order) const {
  if (!std::ranges::is_permutation(order, natural_order(global_.size())))
    throw Error(fmt::format("memory order {}: must name each of the {} axes once, slowest first",
                            fmt::join(order, ", "), global_.size()));
  Layout result = *this;
  result.order_ = order;
  return result;
}

Layout Layout::padded(const PerAxis<Index>& extra) const {
  check_entries(extra, global_.size(), 0, "padding");
  __int128 elements = 1;
  for (int axis = 0; axis < extra.size(); ++axis) {
    elements *= static_cast<__int128>(longest_part(axis)) + extra[axis];
    if (elements > most_elements)
      throw Error(fmt::format("padding {}: makes arrays of more than 2^58 elements",
                              fmt::join(extra, ", ")));
  }
  Layout result = contiguous();
  if (std::ranges::any_of(extra, [](Index count) { return count > 0; })) result.padding_ = extra;
  return result;
}

Layout Layout::strided(const PerAxis<Index>& strides) const {
  check_entries(strides, global_.size(), 1, "strides");
  __int128 last = 0;
  for (int axis = 0; axis < strides.size(); ++axis)
    last += static_cast<__int128>(std::max<Index>(longest_part(axis) - 1, 1)) * strides[axis];
  if (last >= most_elements)
    throw Error(fmt::format("strides {}: make arrays of more than 2^58 elements",
                            fmt::join(strides, ", ")));
  Layout result = contiguous();
  result.strides_ = strides;
  return result;
}

Layout Layout::contiguous() const {
  Layout result = *this;
  result.padding_ = {};
  result.strides_ = {};
  return result;
}

Layout Layout::reshaped(const Shape& global) const {
  if (!has_grid()) throw Error("reshaped: only a layout made from a process grid can be reshaped");
  if (global.size() != global_.size())
    throw Error(fmt::format("reshaped: shape {} has another number of axes than {}",
                            to_string(global), to_string(global_)));
  const Layout result =
      grid(global, grid_, split_, partition_).ordered(order_).spread(ranks_, stride_of_ranks_);
  PerAxis<std::vector<Index>> cuts;
  for (int axis = 0; axis < global.size(); ++axis)
    cuts.push_back(global[axis] == global_[axis] ? this->cuts(axis) : result.cuts(axis));
  Layout cut = result.cut_at(std::move(cuts));
  if (cut.classes_.empty() && global == global_) cut.classes_ = classes_;
  return cut;
}

Layout Layout::spread(int ranks, int stride) const {
  if (!has_grid()) throw Error("spread: only a layout made from a process grid can be spread");
  if (ranks < positions_)
    throw Error(fmt::format("spread: {} ranks; the process grid {} needs at least {}", ranks,
                            fmt::join(grid_, "x"), positions_));
  const int widest = positions_ > 1 ? (ranks - 1) / (positions_ - 1) : ranks;
  if (stride < 0 || stride > widest)
    throw Error(fmt::format(
        "spread: stride {}; valid for {} positions on {} ranks is 1 to {}, or 0 for the usual one",
        stride, positions_, ranks, widest));
  Layout result = *this;
  result.ranks_ = ranks;
  result.stride_of_ranks_ = positions_ == 1 ? 1 : stride > 0 ? stride : ranks / positions_;
  return result;
}

Box Layout::box(int rank) const {
  if (!has_grid()) return (*boxes_)[rank];
  const int position = position_of(rank);
  if (position < 0) return {Point::filled(global_.size(), 0), Point::filled(global_.size(), 0)};
  std::array<int, most_dimensions> coordinates{};
  const int dimensions = static_cast<int>(grid_.size());
  for (int dimension = dimensions - 1, left = position; dimension >= 0; --dimension) {
    coordinates[dimension] = left % grid_[dimension];
    left /= grid_[dimension];
  }
  Box box;
  for (int axis = 0; axis < global_.size(); ++axis) {
    std::size_t part = 0;
    for (int dimension : split_[axis]) part = part * grid_[dimension] + coordinates[dimension];
    box.lower.push_back(cuts(axis)[part]);
    box.upper.push_back(cuts(axis)[part + 1]);
  }
  return box;
}

bool Layout::has_ranges() const {
  for (int axis = 0; axis < global_.size(); ++axis)
    if (is_dealt(axis)) return false;
  return true;
}

Index Layout::index_at(int axis, Index coordinate) const {
  return index_in_classes(global_[axis], classes(axis), coordinate);
}

Indices Layout::indices(int rank, int axis) const {
  const Box box = this->box(rank);
  const Index count = box.empty() ? 0 : box.extent(axis);
  if (count == 0) return {};
  const Index first = index_at(axis, box.lower[axis]);
  const Index step = count > 1 ? index_at(axis, box.lower[axis] + 1) - first : 1;
  if (index_at(axis, box.upper[axis] - 1) != first + (count - 1) * step)
    throw Error(
        fmt::format("indices: those of axis {} on rank {} are not equally spaced; index_at "
                    "says them one by one",
                    axis, rank));
  return {first, count, step};
}

std::vector<Box> Layout::boxes() const {
  if (boxes_) return *boxes_;
  std::vector<Box> boxes;
  boxes.reserve(ranks_);
  for (int rank = 0; rank < ranks_; ++rank) boxes.push_back(box(rank));
  return boxes;
}

bool Layout::has_boxes_of(const Layout& other) const {
  if (ranks_ != other.ranks_ || global_.size() != other.global_.size()) return false;
  for (int axis = 0; axis < global_.size(); ++axis)
    if (classes(axis) != other.classes(axis)) return false;
  if (has_grid() && grid_ == other.grid_ && split_ == other.split_ &&
      stride_of_ranks_ == other.stride_of_ranks_)
    return cuts_ == other.cuts_ || *cuts_ == *other.cuts_;
  if (boxes_ && boxes_ == other.boxes_) return true;
  for (int rank = 0; rank < ranks_; ++rank)
    if (box(rank) != other.box(rank)) return false;
  return true;
}

bool operator==(const Layout& a, const Layout& b) {
  return a.global_ == b.global_ && a.order_ == b.order_ && a.padding_ == b.padding_ &&
         a.strides_ == b.strides_ && a.grid_ == b.grid_ && a.split_ == b.split_ &&
         a.stride_of_ranks_ == b.stride_of_ranks_ && a.has_boxes_of(b);
}

PerAxis<Index> Layout::strides(int rank) const {
  if (!strides_.empty()) return strides_;
  Shape extents = box(rank).extents();
  for (int axis = 0; axis < padding_.size(); ++axis) extents[axis] += padding_[axis];
  return strides_of(extents, order_);
}

Index Layout::allocated(int rank) const {
  const Box box = this->box(rank);
  if (!strides_.empty()) return memory_span(box.extents(), strides_);
  if (box.empty()) return 0;
  Index elements = 1;
  for (int axis = 0; axis < box.axes(); ++axis)
    elements *= box.extent(axis) + (padding_.empty() ? 0 : padding_[axis]);
  return elements;
}

bool Layout::is_local(int axis) const {
  const auto is_whole = [&](Index extent) { return extent == 0 || extent == global_[axis]; };
  if (boxes_)
    return std::ranges::all_of(
        *boxes_, [&](const Box& box) { return box.empty() || is_whole(box.extent(axis)); });
  for (std::size_t part = 0; part + 1 < cuts(axis).size(); ++part)
    if (!is_whole(cuts(axis)[part + 1] - cuts(axis)[part])) return false;
  return true;
}

Index Layout::longest_part(int axis) const {
  Index longest = 0;
  if (boxes_)
    for (const Box& box : *boxes_) longest = std::max(longest, box.extent(axis));
  else
    for (std::size_t part = 0; part + 1 < cuts(axis).size(); ++part)
      longest = std::max(longest, cuts(axis)[part + 1] - cuts(axis)[part]);
  return longest;
}

Index Layout::largest_volume() const {
  Index largest = boxes_ ? 0 : 1;
  if (boxes_)
    for (const Box& box : *boxes_) largest = std::max(largest, box.volume());
  else  // some rank has the longest part of every axis
    for (int axis = 0; axis < global_.size(); ++axis) largest *= longest_part(axis);
  return largest;
}

bool Layout::has_empty_positions() const {
  if (boxes_) return std::ranges::any_of(*boxes_, &Box::empty);
  for (int axis = 0; axis < global_.size(); ++axis)
    if (std::ranges::adjacent_find(cuts(axis)) != cuts(axis).end()) return true;
  return false;
}

std::shared_ptr<const IndexLists> index_lists(const Layout& layout, int rank) {
  IndexLists lists;
  bool any = false;
  const Box box = layout.box(rank);
  for (int axis = 0; axis < box.axes(); ++axis) {
    lists.push_back({});
    if (!layout.is_dealt(axis)) continue;
    any = true;
    for (Index at = box.lower[axis]; at < box.upper[axis]; ++at)
      lists[axis].push_back(layout.index_at(axis, at));
  }
  return any ? std::make_shared<const IndexLists>(std::move(lists)) : nullptr;
}

PerAxis<Index> strides_of(const Shape& extents, const Order& order) {
  auto strides = PerAxis<Index>::filled(extents.size(), 0);
  Index stride = 1;
  for (int position = order.size() - 1; position >= 0; --position) {
    strides[order[position]] = stride;
    stride *= extents[order[position]];
  }
  return strides;
}

Index memory_span(const Shape& extents, const PerAxis<Index>& strides) {
  Index last = 0;
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] == 0) return 0;
    last += (extents[axis] - 1) * strides[axis];
  }
  return last + 1;
}

Order natural_order(int axes) {
  Order order;
  for (int axis = 0; axis < axes; ++axis) order.push_back(axis);
  return order;
}

}  // namespace weft
