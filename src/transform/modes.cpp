// Converts the modes a caller wants to keep into runs of indices, and indices into wavenumbers. One
// axis at a time; only the ellipse's bounding box is cut here.
#include "transform/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "transform/kinds.hpp"

namespace weft {
namespace {

/// Elements [begin, end) of a line.
struct Span {
  Index begin, end;
  friend bool operator==(const Span&, const Span&) = default;
};

bool is_signed(Kind kind) { return kind == Kind::c2c || is_half_complex(kind); }

Index line_length(const Transform& transform, int axis) {
  const Index n = transform.shape[axis];
  return is_half_complex(transform.kinds[axis]) ? n / 2 + 1 : n;
}

std::vector<Span> merged(std::vector<Span> spans) {
  std::erase_if(spans, [](const Span& span) { return span.begin >= span.end; });
  std::ranges::sort(spans, {}, &Span::begin);
  std::vector<Span> result;
  for (const Span& span : spans)
    if (!result.empty() && span.begin <= result.back().end)
      result.back().end = std::max(result.back().end, span.end);
    else
      result.push_back(span);
  return result;
}

/// The elements that the ranges select in a complex line of length n, or in a DCT's.
std::vector<Span> spans_of(const std::vector<Modes::Range>& ranges, Index n) {
  std::vector<Span> spans;
  for (const Modes::Range& range : ranges) {
    spans.push_back({std::max<Index>(0, range.first), range.last + 1});
    spans.push_back({n + range.first, n + std::min<Index>(range.last, -1) + 1});
  }
  return merged(std::move(spans));
}

std::vector<Span> mirrored(const std::vector<Span>& spans, Index n) {
  std::vector<Span> result;
  for (const Span& span : spans) {
    if (span.begin == 0) result.push_back({0, 1});
    result.push_back({n - span.end + 1, n - std::max<Index>(span.begin, 1) + 1});
  }
  return merged(std::move(result));
}

std::string text_of(const Modes::Range& range) {
  return fmt::format("{} to {}", range.first, range.last);
}

void check_range(const Modes::Range& range, Kind kind, Index n, int axis) {
  const Index lowest = is_signed(kind) ? -((n - 1) / 2) : 0;
  const Index highest = is_signed(kind) ? n / 2 : n - 1;
  if (range.first > range.last || range.first < lowest || range.last > highest)
    throw Error(fmt::format("modes along axis {}: {}: valid are ranges within {} to {}", axis,
                            text_of(range), lowest, highest));
}

/// Restricts a symmetric range |k| <= K to modes the kind has: some kinds have no negative modes,
/// and n even has no mode -n/2.
Modes::Range clipped(Modes::Range range, Kind kind, Index n) {
  if (range.first != -range.last) return range;
  if (!is_signed(kind)) return {0, range.last};
  return {std::max(range.first, -((n - 1) / 2)), range.last};
}

ModeMap map_of(const std::vector<Span>& spans, Index line) {
  ModeMap map{line, 0, {}, Nyquist::plain};
  for (const Span& span : spans) {
    map.runs.push_back({span.begin, map.kept, span.end - span.begin});
    map.kept += span.end - span.begin;
  }
  return map;
}

ModeMap map_of_ranges(const Transform& transform, int axis, std::vector<Modes::Range> ranges) {
  const Kind kind = transform.kinds[axis];
  const Index n = transform.shape[axis];
  for (Modes::Range& range : ranges) {
    range = clipped(range, kind, n);
    check_range(range, kind, n, axis);
  }
  std::vector<Span> spans = spans_of(ranges, n);
  const bool named_by_size =
      is_half_complex(kind) &&
      std::ranges::all_of(ranges, [](const auto& range) { return range.first >= 0; });
  if (transform.physical_is_real() && is_signed(kind) && !named_by_size &&
      mirrored(spans, n) != spans)
    throw Error(fmt::format(
        "modes along axis {}: a real array needs -k wherever k is kept, but they are not symmetric",
        axis));
  if (is_half_complex(kind)) {
    for (Span& span : spans) span.end = std::min(span.end, n / 2 + 1);
    spans = merged(std::move(spans));
  }
  return map_of(spans, line_length(transform, axis));
}

ModeMap map_of_grid(const Transform& transform, int axis, Index points) {
  const Kind kind = transform.kinds[axis];
  const Index n = transform.shape[axis];
  if (points < 1 || points > n)
    throw Error(
        fmt::format("modes along axis {}: a grid of {} points; valid are 1 to the {} of "
                    "the physical grid",
                    axis, points, n));
  const Index line = line_length(transform, axis);
  if (points == n) return map_of({{0, line}}, line);
  if (!is_signed(kind)) return map_of({{0, points}}, line);
  const bool even = points % 2 == 0;
  if (is_half_complex(kind)) {
    ModeMap map = map_of({{0, points / 2 + 1}}, line);
    if (even) map.nyquist = Nyquist::doubled;
    return map;
  }
  ModeMap map = map_of(merged({{0, points / 2 + 1}, {n - (points - 1) / 2, n}}), line);
  if (even) map.nyquist = Nyquist::split;
  return map;
}

double radius_of(const Transform& transform, int axis) {
  return transform.ellipse.empty() ? 0 : transform.ellipse[axis];
}

}  // namespace

Index ModeMap::kept_before(Index element) const {
  Index before = 0;
  for (const ModeRun& run : runs) before += std::clamp<Index>(element - run.mode, 0, run.count);
  return before;
}

NyquistPair nyquist_pair(const ModeMap& modes) {
  if (modes.nyquist == Nyquist::packed) return {0, modes.line - 1};
  const Index highest = modes.runs.front().count - 1;
  return {highest, modes.nyquist == Nyquist::split ? modes.line - highest : highest};
}

ModeMap mode_map(const Transform& transform, int axis) {
  const Index n = transform.shape[axis];
  const Kind kind = transform.kinds[axis];
  const Modes modes = transform.modes.empty() ? Modes{} : transform.modes[axis];
  const double radius = radius_of(transform, axis);
  const Index line = line_length(transform, axis);
  if (kind == Kind::r2c_packed) {
    ModeMap map = map_of({{0, n / 2}}, line);
    map.nyquist = Nyquist::packed;
    return map;
  }
  if (modes.grid != 0) return map_of_grid(transform, axis, modes.grid);
  if (!modes.ranges.empty()) return map_of_ranges(transform, axis, modes.ranges);
  const Index highest = is_signed(kind) ? n / 2 : n - 1;
  if (radius > 0 && radius < static_cast<double>(highest))
    return map_of_ranges(transform, axis, Modes::up_to(static_cast<Index>(radius)).ranges);
  return map_of({{0, line}}, line);
}

PerAxis<ModeMap> mode_maps(const Transform& transform) {
  PerAxis<ModeMap> maps;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    maps.push_back(mode_map(transform, axis));
  return maps;
}

Index wavenumber_of(const Transform& transform, int axis, Index element) {
  const Index n = transform.shape[axis];
  return transform.kinds[axis] == Kind::c2c && element > n / 2 ? element - n : element;
}

PerAxis<std::vector<double>> kept_wavenumbers(const Transform& transform) {
  Transform kept = transform;
  kept.dropped = Dropped::absent;
  PerAxis<std::vector<double>> numbers;
  for (int axis = 0; axis < transform.shape.size(); ++axis) {
    const std::vector<Index> along = kept.wavenumbers(axis);
    numbers.push_back({along.begin(), along.end()});
  }
  return numbers;
}

Layout kept_layout(const Layout& full, const PerAxis<ModeMap>& maps) {
  Layout kept = full;
  for (int axis = 0; axis < maps.size(); ++axis) kept.global_[axis] = maps[axis].kept;
  if (full.has_grid()) {
    PerAxis<std::vector<Index>> cuts = *full.cuts_;
    for (int axis = 0; axis < maps.size(); ++axis)
      for (Index& cut : cuts[axis]) cut = maps[axis].kept_before(cut);
    kept.cuts_ = std::make_shared<const PerAxis<std::vector<Index>>>(std::move(cuts));
    return kept;
  }
  std::vector<Box> boxes = full.boxes();
  for (Box& box : boxes)
    for (int axis = 0; axis < maps.size(); ++axis) {
      box.lower[axis] = maps[axis].kept_before(box.lower[axis]);
      box.upper[axis] = maps[axis].kept_before(box.upper[axis]);
    }
  kept.boxes_ = std::make_shared<const std::vector<Box>>(std::move(boxes));
  return kept;
}

}  // namespace weft
