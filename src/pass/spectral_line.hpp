// What happens to spectral lines in a tile beside the transform: modes that are not kept, Nyquist
// modes that stand for two, the edge of an ellipse.
#pragma once

#include <memory>
#include <weft/spectrum.hpp>

#include "pass/view.hpp"
#include "transform/modes.hpp"

namespace weft {

/// The lines along `axis` of a box, as they lie in a tile: `distance` elements apart, line number
/// `line_number[a]` higher for the next along axis a.
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

/// From what the 1-D transform gave to what is kept: sums what a Nyquist mode stands for. The kept
/// elements stay where they are.
void fold_modes(const TileLines& lines, const ModeMap& modes);

/// From what is kept, in its place in the line, to what the 1-D transform wants: zeros between, and
/// a Nyquist mode shared out.
void spread_modes(const TileLines& lines, const ModeMap& modes);

/// The wavenumbers behind the kept indices of every axis.
using WavenumberTable = PerAxis<std::vector<double>>;

/// Calls the function for the kept modes of every line, run by run.
void apply_function(const TileLines& lines, const ModeMap& modes,
                    const WavenumberTable& wavenumbers, const RawLineFunction& function);

/// Multiplies every element of the lines, `length` of each.
void scale_lines(const TileLines& lines, Index length, double factor);

/// An ellipse in the space of wavenumbers: the modes for which squares[a][kept index] sums up to 1
/// at most over the axes that have any.
struct Ellipse {
  std::shared_ptr<const PerAxis<std::vector<double>>> squares;  ///< null: there is none
};

/// Zeroes what lies outside the ellipse.
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
