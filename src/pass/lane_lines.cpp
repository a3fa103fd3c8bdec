// All decisions about lanes follow from strides alone, which planning knows.
#include "pass/lane_lines.hpp"

#include "machine/cache_line.hpp"

namespace weft {

bool is_even(const std::vector<View>& views, int axis) {
  Index stride = 0;
  for (const View& view : views)
    for (const Piece& piece : view.pieces) {
      if (stride == 0) stride = piece.strides[axis];
      if (piece.strides[axis] != stride) return false;
    }
  return true;
}

int choose_lane_axis(int line_axis, const Shape& largest, int source_unit, int target_unit) {
  if (source_unit < 0 || target_unit < 0) return -1;
  if (source_unit != line_axis && target_unit != line_axis)
    return source_unit == target_unit ? source_unit : -1;
  if (source_unit != line_axis) return source_unit;
  if (target_unit != line_axis) return target_unit;
  int longest = -1;
  for (int axis = 0; axis < largest.size(); ++axis)
    if (axis != line_axis && (longest < 0 || largest[axis] >= largest[longest])) longest = axis;
  return longest;
}

bool suits_lanes(Index neighbours, Index length, Index lanes) {
  constexpr Index short_line = 8;
  return neighbours >= lanes || (neighbours >= lanes / 2 && length > short_line);
}

Cut lane_tiles(const Shape& largest, int line_axis, int lane_axis, Index lanes, Index lines) {
  const Index most = std::max<Index>(1, lines / lanes);
  const Index groups = (largest[lane_axis] + lanes - 1) / lanes;
  const Index parts = (groups + most - 1) / most;
  Cut tiles;
  tiles.extents = Shape::filled(largest.size(), 1);
  tiles.extents[lane_axis] = (groups + parts - 1) / parts * lanes;
  for (int axis = 0; axis < largest.size(); ++axis)
    if (axis != line_axis && axis != lane_axis) tiles.axes.push_back(axis);
  tiles.axes.push_back(lane_axis);
  return tiles;
}

LaneLines::LaneLines(const Step& step, End end, int lane_axis, int unit_axis, Depth depth)
    : step_(step),
      is_spectral_(step.analysis == (end == End::target)),
      elements_(end == End::target ? step.line_output() : step.line_input()),
      lane_axis_(lane_axis),
      unit_axis_(unit_axis),
      depth_(depth) {}

/// Neighbours are aligned if all their rows are, contiguous lines if their beginnings are.
LineRows LaneLines::rows(const Box& box, const View& view, const LineKernel& kernel,
                         std::byte** table) const {
  LineRows lines{table, 0};
  Index found = 0;
  // The bits of the rows' addresses, and those in which they differ from the first row's.
  std::uintptr_t addresses = 0, differences = 0, any = 0;
  const auto add = [&](const Piece& piece, const Box& part) {
    lines.line_bytes = piece.strides[lane_axis_];
    const Index stride = piece.strides[step_.axis];
    for_each_run(step_, is_spectral_, part, [&](const Box& run, LinePlaces places) {
      std::byte* const first = view.address(piece, run.lower);
      const Index count = run.extent(step_.axis);
      lines.is_contiguous = count == elements_ && unit_axis_ == step_.axis;
      const Index entries_needed = lines.is_contiguous && kernel.needs_one_row() ? 1 : count;
      std::byte** const entries = table + places.first;
      for (Index j = 0; j < entries_needed; ++j) entries[j * places.step] = first + j * stride;
      const auto address = reinterpret_cast<std::uintptr_t>(first);
      const auto step = count > 1 ? static_cast<std::uintptr_t>(stride) : 0;
      if (any == 0) any = address;
      addresses |= address | step;
      differences |= (address ^ any) | step;
      found += count;
    });
  };
  view.for_each_in(box, add);
  lines.is_complete = found == elements_;
  if (!lines.is_complete) {
    std::fill_n(table, elements_, nullptr);
    view.for_each_in(box, add);
  }
  if (unit_axis_ != lane_axis_)
    addresses =
        reinterpret_cast<std::uintptr_t>(table[0]) | static_cast<std::uintptr_t>(lines.line_bytes);
  const bool are_alike = unit_axis_ != lane_axis_ || differences % line_bytes == 0;
  lines.is_streamed = depth_ == Depth::memory && addresses % line_bytes == 0;
  lines.is_fetched = depth_ == Depth::last_level || (depth_ == Depth::memory && !are_alike);
  return lines;
}

Index LaneLines::next_cut(const Box& box, const View& view, Index end) const {
  view.for_each_in(box, [&](const Piece& piece, const Box&) {
    for (const Index cut : {piece.box.lower[lane_axis_], piece.box.upper[lane_axis_]})
      if (cut > box.lower[lane_axis_]) end = std::min(end, cut);
  });
  return end;
}

Index LaneLines::lines_before_alignment(const Box& domain, const View& view) const {
  if (depth_ != Depth::memory || unit_axis_ != lane_axis_ || view.pieces.size() != 1) return 0;
  const Piece& piece = view.pieces.front();
  for (int axis = 0; axis < piece.strides.size(); ++axis)
    if (axis != lane_axis_ && piece.strides[axis] % line_bytes != 0) return 0;
  const auto element_bytes = static_cast<std::uintptr_t>(piece.strides[lane_axis_]);
  const auto address =
      reinterpret_cast<std::uintptr_t>(view.address(piece, step_.output_box(domain).lower));
  const std::uintptr_t missing = (line_bytes - address % line_bytes) % line_bytes;
  return missing % element_bytes == 0 ? static_cast<Index>(missing / element_bytes) : 0;
}

void add_up(BlockSums* sums, int worker, const View& view, const Box& box) {
  if (sums == nullptr) return;
  view.for_each_in(box, [&](const Piece& piece, const Box& part) {
    sums->add(worker, part, view.address(piece, part.lower), piece.strides);
  });
}

}  // namespace weft
