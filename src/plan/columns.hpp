// Finds the whole columns that an exchange can omit because they lie outside the ellipse of kept
// modes.
#pragma once

#include <vector>

#include "pass/spectral_line.hpp"

namespace weft {

/// The ellipse that the transform asks for, if any.
Ellipse ellipse_of(const Transform& transform);
/// Whether an axis has a radius.
bool is_round(const Ellipse& ellipse, int axis);

/// The columns that can be left out are runs along `fast` at each index of `slow`.
struct ColumnAxes {
  int slow = -1;  ///< -1: no column can be left out
  int fast = -1;
};

/// `spectral`: the axes along which data are spectral; axes transformed nearby come last. Runs go
/// along the lines of the pass next to the exchange, since a tile holds all of a line.
ColumnAxes column_axes(const Ellipse& ellipse, const std::vector<int>& spectral);

/// The columns inside the ellipse, in kept indices; empty if no column is omitted.
std::vector<Box> columns_inside(const Ellipse& ellipse, const Shape& global,
                                const ColumnAxes& axes);

}  // namespace weft
