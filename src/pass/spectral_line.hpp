// Operations on spectral lines in a tile besides the transform: dropping modes, Nyquist modes that
// stand for two, the ellipse's edge. They run in the tile to save a sweep over memory.
#pragma once

#include <memory>
#include <weft/spectrum.hpp>

#include "transform/modes.hpp"
#include "view/view.hpp"

namespace weft {

/// The lines along `axis` of a box in a tile. Consecutive lines are `distance` elements apart; the
/// next line along axis a has a number that is higher by line_number[a].
struct TileLines {
  std::byte* data = nullptr;
  Element element;
  Index distance = 0;
  Box box;
  int axis = 0;
  PerAxis<Index> line_number;

  /// Calls visit(point, address) for every line; the point's own axis is at the box's lower end.
  template <class Visit>
  void for_each(Visit&& visit) const;
};

/// After analysis: combines the modes that one kept Nyquist mode stands for. Kept elements are not
/// moved.
void fold_modes(const TileLines& lines, const ModeMap& modes);

/// Before synthesis: fills the gaps between kept modes with zeros, and distributes a kept Nyquist
/// mode to the modes it stands for.
void spread_modes(const TileLines& lines, const ModeMap& modes);

/// The wavenumbers of one of the caller's axes, of which a pass may see two (plan/split_axes.hpp).
struct JoinedWavenumbers {
  int first = 0;               ///< an axis of the pass
  int second = -1;             ///< the other one; -1: there is none
  Index second_length = 1;     ///< elements of the other one
  std::vector<double> values;  ///< by kept index of both, the second one faster

  /// At a point of the pass; of lines, at the point where they begin.
  const double* at(const Point& point) const {
    const Index place = point[first] * second_length + (second >= 0 ? point[second] : 0);
    return values.data() + place;
  }
};
/// By axis of the caller.
using WavenumberTable = PerAxis<JoinedWavenumbers>;

/// Calls the function for the kept modes of every line, run by run.
void apply_function(const TileLines& lines, const ModeMap& modes,
                    const WavenumberTable& wavenumbers, const RawLineFunction& function);

/// Multiplies the first `length` elements of every line.
void scale_lines(const TileLines& lines, Index length, double factor);

/// An ellipse in wavenumber space: it contains the modes for which the sum of squares[a][kept
/// index] over all axes with squares is at most 1.
struct Ellipse {
  std::shared_ptr<const PerAxis<std::vector<double>>> squares;  ///< null if there is no ellipse
};

/// Sets modes outside the ellipse to zero.
void cut_ellipse(const TileLines& lines, const ModeMap& modes, const Ellipse& ellipse);

template <class Visit>
void TileLines::for_each(Visit&& visit) const {
  Point point = box.lower;
  Index line = 0;
  for (;;) {
    visit(static_cast<const Point&>(point), data + line * distance * element.bytes());
    int moving = box.axes() - 1;
    for (; moving >= 0; --moving) {
      if (moving == axis) continue;
      line += line_number[moving];
      if (++point[moving] < box.upper[moving]) break;
      line -= box.extent(moving) * line_number[moving];
      point[moving] = box.lower[moving];
    }
    if (moving < 0) return;
  }
}

}  // namespace weft
