// Cuts boxes where pieces end, then chooses for each box the axis along which a tile has its lines.
#include "device/tile_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <optional>
#include <tuple>

#include "pass/twiddle_lines.hpp"

namespace weft {
namespace {

/// A box on both sides.
struct Boxes {
  Box input;
  Box output;
};

/// The segments of a patch on one side, with a stride for every axis.
struct Strided {
  int begin = 0;
  int end = 0;
  const Piece* piece = nullptr;
  Index offset = 0;  // of element 0 of the first line
};

/// A patch, while it is made.
struct PatchSide {
  const View& view;
  const Element& element;
  std::vector<Strided> segments;

  bool is_contiguous(int axis) const {
    return !segments.empty() && std::ranges::all_of(segments, [&](const Strided& segment) {
      return segment.piece->strides[axis] == element.bytes();
    });
  }
  /// The distance of lines along an axis.
  Index stride(int axis) const {
    return segments.empty() ? 0 : std::abs(segments.front().piece->strides[axis]);
  }
  /// Whether steps along `outer` continue `extent` steps along `inner`.
  bool continues(int outer, int inner, Index extent) const {
    return std::ranges::all_of(segments, [&](const Strided& segment) {
      return segment.piece->strides[outer] == extent * segment.piece->strides[inner];
    });
  }
};

class Maker {
 public:
  Maker(const KernelLines& lines, const View& from, const View& to)
      : lines_(lines), from_(from), to_(to) {}

  TileViews made(const Boxes& boxes) {
    std::vector<Index> extents(static_cast<std::size_t>(boxes.input.axes()));
    for (int axis = 0; axis < boxes.input.axes(); ++axis) {
      order_.push_back(axis);
      for (const View* view : {&from_, &to_})
        for (const Piece& piece : view->pieces) extents[axis] += piece.box.extent(axis);
    }
    std::ranges::stable_sort(order_, {}, [&](int axis) { return extents[axis]; });
    domain_ = boxes.input;
    cut(boxes, 0);
    return std::move(result_);
  }

 private:
  /// Cuts all axes from a place in their order on.
  void cut(const Boxes& boxes, std::size_t place) {
    if (place == order_.size()) return add(boxes);
    const int axis = order_[place];
    const std::vector<Index> cuts = cuts_of(boxes, axis);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      Boxes part = boxes;
      for (Box* box : {&part.input, &part.output}) {
        if (axis == lines_.axis && lines_.step) continue;  // lines are whole
        box->lower[axis] = cuts[i];
        box->upper[axis] = cuts[i + 1];
      }
      cut(part, place + 1);
    }
  }

  std::vector<Index> cuts_of(const Boxes& boxes, int axis) const {
    const Box& box = boxes.input;
    std::vector<Index> cuts{box.lower[axis], box.upper[axis]};
    if (axis == lines_.axis) {
      if (!lines_.step)
        for (Index at = box.lower[axis] + copied_length; at < box.upper[axis]; at += copied_length)
          cuts.push_back(at);
    } else {
      const auto add = [&](const View& view, const Box& inside) {
        view.for_each_in(inside, [&](const Piece&, const Box& part) {
          cuts.push_back(part.lower[axis]);
          cuts.push_back(part.upper[axis]);
        });
      };
      add(from_, boxes.input);
      add(to_, boxes.output);
    }
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
  }

  std::vector<Strided> segments(const View& view, const Box& box, bool spectral) const {
    std::vector<Strided> found;
    view.for_each_in(box, [&](const Piece& piece, const Box& overlap) {
      const auto add = [&](const Box& part, LinePlaces places) {
        // The kernel itself deals positions out to classes.
        const Index begin = places.step > 1 ? part.lower[lines_.axis] : places.first;
        const Index length = part.extent(lines_.axis);
        found.push_back({static_cast<int>(begin), static_cast<int>(begin + length), &piece,
                         piece.offset_of(part.lower) - begin * piece.strides[lines_.axis]});
      };
      if (lines_.step)
        for_each_run(*lines_.step, spectral, overlap, add);
      else
        add(overlap, {overlap.lower[lines_.axis] - box.lower[lines_.axis], 1});
    });
    std::ranges::sort(found, {}, &Strided::begin);
    return found;
  }

  /// The axis across tiles: lines along it are neighbours in the source, the target or both. Among
  /// equals, it fills tiles, and its lines are close to each other.
  int across(const Box& box, const PatchSide& from, const PatchSide& to) const {
    const auto score = [&](int axis) {
      const Index extent = box.extent(axis);
      const Index neighbours = extent > 1 ? from.is_contiguous(axis) + to.is_contiguous(axis) : 0;
      const Index filled = std::min<Index>(extent, lines_.plan.lines);
      return std::tuple(neighbours, filled, -(from.stride(axis) + to.stride(axis)));
    };
    int best = -1;
    for (int axis = 0; axis < box.axes(); ++axis)
      if (axis != lines_.axis && (best < 0 || score(axis) > score(best))) best = axis;
    return best;
  }

  /// The axes of a patch except the lines' own. Axes that continue the axis across tiles are merged
  /// with it, so that tiles are full.
  struct PatchAxes {
    std::vector<int> axes;    // across, then the outer ones
    std::vector<int> merged;  // into the first
    Index across = 1;         // lines
  };
  PatchAxes axes_of(const Box& box, const PatchSide& from, const PatchSide& to) const {
    PatchAxes chosen;
    const int first = across(box, from, to);
    if (first < 0) return chosen;
    chosen.axes.push_back(first);
    chosen.across = box.extent(first);
    std::vector<int> others;
    for (int axis = box.axes() - 1; axis >= 0; --axis)
      if (axis != lines_.axis && axis != first && box.extent(axis) > 1) others.push_back(axis);
    const auto continues = [&](int axis) {
      return from.continues(axis, first, chosen.across) && to.continues(axis, first, chosen.across);
    };
    for (auto found = others.begin();
         (found = std::ranges::find_if(others, continues)) != others.end(); others.erase(found)) {
      chosen.across *= box.extent(*found);
      chosen.merged.push_back(*found);
    }
    chosen.axes.insert(chosen.axes.end(), others.begin(), others.end());
    return chosen;
  }

  void add(const Boxes& boxes) {
    if (boxes.input.empty() || boxes.output.empty()) return;
    const bool analysis = lines_.step && lines_.step->analysis;
    const PatchSide from{from_, lines_.input, segments(from_, boxes.input, !analysis)};
    const PatchSide to{to_, lines_.output, segments(to_, boxes.output, analysis)};
    if (to.segments.empty()) return;
    const PatchAxes chosen = axes_of(boxes.input, from, to);
    const TilePlan& plan = lines_.plan;
    Index tiles = (chosen.across + plan.lines - 1) / plan.lines;
    TilePatch patch;
    for (std::size_t i = 1; i < chosen.axes.size(); ++i) {
      const Index extent = boxes.input.extent(chosen.axes[i]);
      patch.extents[i - 1] = static_cast<unsigned>(extent);
      tiles *= extent;
    }
    if (chosen.across + result_.tiles + tiles >= max_tiles)
      throw Error(
          fmt::format("a rank's box {} is too large for a device: it has more than {} tiles",
                      to_string(boxes.input), max_tiles));
    patch.across = static_cast<unsigned>(chosen.across);
    patch.length = static_cast<int>(boxes.input.extent(lines_.axis));
    patch.from = side(from, chosen, lines_.step ? plan.input_length() : patch.length);
    patch.to = side(to, chosen, lines_.step ? plan.output_length() : patch.length);
    if (lines_.step && lines_.step->changes_modes())
      (analysis ? patch.to : patch.from).modes = modes(*lines_.step, boxes.input, chosen);
    patch.first_tile = result_.tiles;
    result_.tiles += static_cast<unsigned>(tiles);
    result_.patches.push_back(patch);
  }

  TileSide side(const PatchSide& side, const PatchAxes& chosen, int length) {
    const std::vector<int>& axes = chosen.axes;
    TileSide made;
    made.first = static_cast<int>(result_.segments.size());
    made.segments = static_cast<int>(side.segments.size());
    int covered = 0;
    for (const Strided& strided : side.segments) {
      TileSegment segment;
      segment.begin = strided.begin;
      segment.end = strided.end;
      covered += strided.end - strided.begin;
      segment.bound = strided.piece->base == 0;
      segment.address = static_cast<DeviceAddress>(strided.offset);
      if (!segment.bound)
        segment.address += reinterpret_cast<DeviceAddress>(side.view.bases[strided.piece->base]);
      segment.along = strided.piece->strides[lines_.axis];
      for (std::size_t i = 0; i < axes.size(); ++i)
        (i == 0 ? segment.across : segment.outer[i - 1]) = strided.piece->strides[axes[i]];
      result_.segments.push_back(segment);
    }
    made.covers = covered == length;
    const bool neighbours = chosen.across > 1 && side.is_contiguous(axes[0]);
    made.along_lines = side.is_contiguous(lines_.axis) && !neighbours;
    made.wire = side.element.wire;
    return made;
  }

  TileModes modes(const Step& step, const Box& box, const PatchAxes& chosen) {
    TileModes made;
    made.nyquist = step.modes.nyquist;
    if (made.nyquist != Nyquist::plain) {
      const NyquistPair pair = nyquist_pair(step.modes);
      made.kept = static_cast<int>(pair.kept);
      made.implied = static_cast<int>(pair.implied);
    }
    if (step.modes.is_dealt()) made.classes = static_cast<int>(step.modes.runs.front().step);
    if (step.twiddle.turns()) add_twiddle(step, box, chosen, made);
    if (step.ellipse.squares == nullptr) return made;
    made.ellipse = true;
    if (!squares_) squares_ = add_squares(step);
    made.squares = *squares_;
    made.allowed = add_allowed(*step.ellipse.squares, box, chosen);
    return made;
  }
  /// One for each mode of whole lines; nothing reads the squares of dropped modes.
  Index add_squares(const Step& step) {
    const auto first = static_cast<Index>(result_.squares.size());
    const std::vector<double>& kept = (*step.ellipse.squares)[lines_.axis];
    result_.squares.resize(result_.squares.size() + static_cast<std::size_t>(step.modes.line));
    for (const ModeRun& run : step.modes.runs)
      std::copy_n(kept.begin() + run.kept, run.count, result_.squares.begin() + first + run.mode);
    return first;
  }
  void add_twiddle(const Step& step, const Box& box, const PatchAxes& chosen, TileModes& made) {
    if (!twiddle_) {
      twiddle_.emplace();
      const int axis = step.twiddle.axis;
      const Index first = domain_.lower[axis], count = domain_.upper[axis] - first;
      const auto fine =
          std::max<Index>(1, static_cast<Index>(std::sqrt(static_cast<double>(count))));
      twiddle_->fine_rows = static_cast<int>(fine);
      twiddle_->coarse = add_factors(step, first, fine, (count + fine - 1) / fine);
      twiddle_->fine = add_factors(step, 0, 1, fine);
    }
    made.twiddle = true;
    made.coarse = twiddle_->coarse;
    made.fine = twiddle_->fine;
    made.fine_rows = twiddle_->fine_rows;
    made.rows = add_for_lines(box, chosen, [&](const Point& at) {
      return static_cast<double>(at[step.twiddle.axis] - domain_.lower[step.twiddle.axis]);
    });
  }
  /// Rows of s = first, first + distance, ..., `count` of them: a thread that reads two whole rows
  /// divides no numbers.
  Index add_factors(const Step& step, Index first, Index distance, Index count) {
    const auto place = static_cast<Index>(result_.squares.size());
    for (Index row = 0; row < count; ++row)
      for (const std::complex<double> factor :
           twiddle_row(step, first + row * distance, 0, 1, step.length))
        result_.squares.insert(result_.squares.end(), {factor.real(), factor.imag()});
    return place;
  }
  /// Subtracts in the same order as the host, so that rounding keeps the same modes at the
  /// ellipse's edge.
  Index add_allowed(const PerAxis<std::vector<double>>& squares, const Box& box,
                    const PatchAxes& chosen) {
    return add_for_lines(box, chosen, [&](const Point& at) {
      double allowed = 1;
      for (int axis = 0; axis < box.axes(); ++axis)
        if (axis != lines_.axis && !squares[axis].empty()) allowed -= squares[axis][at[axis]];
      return allowed;
    });
  }
  /// A value for every line of a patch, in the order of TilePlace.
  template <class Value>
  Index add_for_lines(const Box& box, const PatchAxes& chosen, Value&& value) {
    const auto first = static_cast<Index>(result_.squares.size());
    std::vector<int> axes = chosen.merged;  // the fastest one first
    if (!chosen.axes.empty()) {
      axes.insert(axes.begin(), chosen.axes.front());
      axes.insert(axes.end(), chosen.axes.begin() + 1, chosen.axes.end());
    }
    Point at = box.lower;
    for (Index line = box.volume() / box.extent(lines_.axis); line > 0; --line) {
      result_.squares.push_back(value(static_cast<const Point&>(at)));
      for (const int axis : axes) {
        if (++at[axis] < box.upper[axis]) break;
        at[axis] = box.lower[axis];
      }
    }
    return first;
  }

  const KernelLines& lines_;
  const View& from_;
  const View& to_;
  TileViews result_;
  std::vector<int> order_;            // of cuts: the axes with the thinnest pieces first
  std::optional<Index> squares_;      // where the squares along lines begin
  std::optional<TileModes> twiddle_;  // where its rows of factors begin
  Box domain_;
};

int contiguous_axis(const View& view, const Element& element) {
  for (const Piece& piece : view.pieces)
    for (int axis = 0; axis < piece.box.axes(); ++axis)
      if (piece.strides[axis] == element.bytes() && piece.box.extent(axis) > 1) return axis;
  return -1;
}

}  // namespace

int copied_axis(const View& from, const View& to, const Element& input, const Element& output) {
  const int source = contiguous_axis(from, input), target = contiguous_axis(to, output);
  if (source != target && source >= 0) return source;
  // Rows go across tiles, so lines take the longest other axis.
  int best = 0;
  if (to.pieces.empty()) return best;
  const Box& box = to.pieces.front().box;
  for (int axis = 0; axis < box.axes(); ++axis)
    if (axis != target && (best == target || box.extent(axis) > box.extent(best))) best = axis;
  return best;
}

TileViews make_tile_views(const KernelLines& lines, const Box& domain, const View& from,
                          const View& to) {
  if (domain.empty()) return {};
  return Maker(lines, from, to)
      .made({domain, lines.step ? lines.step->output_box(domain) : domain});
}

namespace {

/// The access that all patches share on one side.
TileAccess common_access(const std::vector<TilePatch>& patches, TileSide TilePatch::*side) {
  if (patches.empty()) return TileAccess::any;
  const TileAccess first = (patches.front().*side).access();
  const bool all = std::ranges::all_of(
      patches, [&](const TilePatch& patch) { return (patch.*side).access() == first; });
  return all ? first : TileAccess::any;
}

}  // namespace

PlannedTiles plan_tiles(const KernelLines& lines, const Box& domain, const View& from,
                        const View& to) {
  PlannedTiles planned{lines.plan, {}, make_tile_views(lines, domain, from, to)};
  const std::vector<TilePatch>& patches = planned.views.patches;
  planned.variant = variant_of(lines.plan, common_access(patches, &TilePatch::from),
                               common_access(patches, &TilePatch::to));
  planned.plan = plan_for(lines.plan, planned.variant);
  if (planned.plan == lines.plan) return planned;
  KernelLines others = lines;
  others.plan = planned.plan;
  planned.views = make_tile_views(others, domain, from, to);
  return planned;
}

}  // namespace weft
