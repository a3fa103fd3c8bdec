// weft_layout_...: layouts of C.
#include <algorithm>

#include "c/handles.hpp"

using namespace weft;
using namespace weft::c;

namespace {

/// A new layout into *result.
template <class Make>
weft_status made(weft_layout* result, Make&& make) {
  return guarded([&] {
    weft_layout& layout = required(result, "layout");
    layout = new weft_layout_s{make()};
  });
}

/// Replaces a layout by change(layout).
template <class Change>
weft_status changed(weft_layout layout, Change&& change) {
  return guarded([&] {
    Layout& old = required(layout, "layout").layout;
    old = change(old);
  });
}

std::vector<int> list_of(int count, const int values[], const char* name) {
  if (count < 1) throw Error(std::string(name) + ": has no entries");
  return {&required(values, name), values + count};
}

}  // namespace

weft_status weft_layout_slabs(int axes, const int64_t shape[], int ranks, int axis,
                              weft_layout* layout) {
  return made(layout, [&] { return Layout::slabs(shape_of(axes, shape), ranks, axis); });
}

weft_status weft_layout_pencils(int axes, const int64_t shape[], const int grid[], int local_axis,
                                weft_layout* layout) {
  return made(layout, [&] {
    const std::vector<int> counts = list_of(2, grid, "grid");
    return Layout::pencils(shape_of(axes, shape), {counts[0], counts[1]}, local_axis);
  });
}

weft_status weft_layout_bricks(int axes, const int64_t shape[], const int grid[],
                               weft_layout* layout) {
  return made(layout, [&] {
    const Shape global = shape_of(axes, shape);
    return Layout::bricks(global, PerAxis<int>(&required(grid, "grid"), grid + axes));
  });
}

weft_status weft_layout_grid(int axes, const int64_t shape[], int dimensions, const int grid[],
                             const int split[], weft_layout* layout) {
  return made(layout, [&] {
    const Shape global = shape_of(axes, shape);
    const std::vector<int> counts = list_of(dimensions, grid, "grid");
    PerAxis<std::vector<int>> of_axis = PerAxis<std::vector<int>>::filled(axes, {});
    const std::vector<int> axis_of = list_of(dimensions, split, "split");
    for (int dimension = 0; dimension < dimensions; ++dimension) {
      const int given = axis_of[static_cast<std::size_t>(dimension)];
      const int axis = given < 0 ? given + axes : given;
      if (axis < 0 || axis >= axes)
        throw Error("split: axis " + std::to_string(given) + "; the shape has " +
                    std::to_string(axes) + " axes");
      of_axis[axis].push_back(dimension);
    }
    return Layout::grid(global, counts, of_axis);
  });
}

weft_status weft_layout_boxes(int axes, const int64_t shape[], int ranks, const weft_box boxes[],
                              weft_layout* layout) {
  return made(layout, [&] {
    const Shape global = shape_of(axes, shape);
    if (ranks < 1) throw Error("ranks: " + std::to_string(ranks) + "; valid is 1 or more");
    required(boxes, "boxes");
    std::vector<Box> all;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(box_of(boxes[rank]));
    return Layout::boxes(global, all);
  });
}

weft_status weft_layout_gathered(MPI_Comm communicator, int axes, const int64_t shape[],
                                 const weft_box* mine, weft_layout* layout) {
  return guarded([&] {
    Shape global;
    Box box;
    agreed(communicator, [&] {
      required(layout, "layout");
      global = shape_of(axes, shape);
      box = box_of(required(mine, "box"));
    });
    *layout = new weft_layout_s{gather_layout(communicator, global, box)};
  });
}

weft_status weft_layout_copy(weft_layout layout, weft_layout* copy) {
  return made(copy, [&] { return required(layout, "layout").layout; });
}

weft_status weft_layout_partition(weft_layout layout, const char* rule) {
  return changed(layout, [&](const Layout& old) {
    return old.partitioned(parse_partition(&required(rule, "rule")));
  });
}

weft_status weft_layout_spread(weft_layout layout, int ranks, int stride) {
  return changed(layout, [&](const Layout& old) { return old.spread(ranks, stride); });
}

weft_status weft_layout_order(weft_layout layout, const int order[]) {
  return changed(layout,
                 [&](const Layout& old) { return old.ordered(per_axis(old, order, "order")); });
}

weft_status weft_layout_reshape(weft_layout layout, int axes, const int64_t shape[]) {
  return changed(layout, [&](const Layout& old) { return old.reshaped(shape_of(axes, shape)); });
}

weft_status weft_layout_pad(weft_layout layout, const int64_t extra[]) {
  return changed(layout,
                 [&](const Layout& old) { return old.padded(per_axis(old, extra, "extra")); });
}

weft_status weft_layout_strides(weft_layout layout, const int64_t strides[]) {
  return changed(layout,
                 [&](const Layout& old) { return old.strided(per_axis(old, strides, "strides")); });
}

weft_status weft_layout_contiguous(weft_layout layout) {
  return changed(layout, [](const Layout& old) { return old.contiguous(); });
}

weft_status weft_layout_part(weft_layout layout, int rank, weft_part* part) {
  return guarded(
      [&] { required(part, "part") = part_of(required(layout, "layout").layout, rank); });
}

weft_status weft_layout_index(weft_layout layout, int rank, int axis, int64_t place,
                              int64_t* index) {
  return guarded([&] {
    const Layout& own = required(layout, "layout").layout;
    const Box box = box_of(own, rank);
    const int along = axis_of(axis, box.axes());
    const Index held = box.empty() ? 0 : box.extent(along);
    if (place < 0 || place >= held)
      throw Error("place: " + std::to_string(place) + "; rank " + std::to_string(rank) + " holds " +
                  std::to_string(held) + " along axis " + std::to_string(along));
    required(index, "index") = own.index_at(along, box.lower[along] + place);
  });
}

weft_status weft_layout_global(weft_layout layout, weft_global* global) {
  return guarded([&] {
    const Layout& own = required(layout, "layout").layout;
    weft_global& result = required(global, "global");
    result = {own.global().size(), {}, own.ranks()};
    std::ranges::copy(own.global(), result.shape);
  });
}

weft_status weft_layout_equal(weft_layout a, weft_layout b, int* equal) {
  return guarded([&] {
    const Layout& first = required(a, "a").layout;
    required(equal, "equal") = first == required(b, "b").layout ? 1 : 0;
  });
}

weft_status weft_layout_is_local(weft_layout layout, int axis, int* local) {
  return guarded([&] {
    const Layout& own = required(layout, "layout").layout;
    required(local, "local") = own.is_local(axis_of(axis, own.global().size())) ? 1 : 0;
  });
}

weft_status weft_layout_process_grid(weft_layout layout, int size, int grid[], int split[],
                                     int* dimensions) {
  return guarded([&] {
    const Layout& own = required(layout, "layout").layout;
    const std::vector<int>& counts = own.process_grid();
    const int written = std::min(size, static_cast<int>(counts.size()));
    if (written > 0) std::copy_n(counts.begin(), written, &required(grid, "grid"));
    for (int axis = 0; axis < own.split().size(); ++axis)
      for (const int dimension : own.split()[axis])
        if (dimension < written) (&required(split, "split"))[dimension] = axis;
    if (dimensions != nullptr) *dimensions = static_cast<int>(counts.size());
  });
}

weft_status weft_layout_text(weft_layout layout, char* buffer, size_t size, size_t* length) {
  return guarded([&] {
    TextBuffer{buffer, size, length}.write(to_string(required(layout, "layout").layout));
  });
}

void weft_layout_drop(weft_layout* layout) {
  if (layout == nullptr) return;
  delete *layout;
  *layout = nullptr;
}
