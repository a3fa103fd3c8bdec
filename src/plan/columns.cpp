// An ellipse as squares per axis and kept index, and as boxes of one index of the slow axis each.
#include "plan/columns.hpp"

#include <algorithm>

namespace weft {

Ellipse ellipse_of(const Transform& transform) {
  if (std::ranges::none_of(transform.ellipse, [](double radius) { return radius > 0; })) return {};
  const auto wavenumbers = kept_wavenumbers(transform);
  PerAxis<std::vector<double>> squares;
  for (int axis = 0; axis < transform.shape.size(); ++axis) {
    squares.push_back({});
    std::vector<double>& along = squares.back();
    const double radius = transform.ellipse[axis];
    if (radius == 0) continue;
    for (double k : wavenumbers[axis]) along.push_back(k * k / (radius * radius));
  }
  return {std::make_shared<const PerAxis<std::vector<double>>>(std::move(squares))};
}

bool is_round(const Ellipse& ellipse, int axis) {
  return ellipse.squares && !(*ellipse.squares)[axis].empty();
}

ColumnAxes column_axes(const Ellipse& ellipse, const std::vector<int>& spectral) {
  ColumnAxes axes;
  for (int axis : spectral)
    if (is_round(ellipse, axis)) axes = {axes.fast, axis};
  return axes;
}

std::vector<Box> columns_inside(const Ellipse& ellipse, const Shape& global,
                                const ColumnAxes& axes) {
  if (axes.slow < 0) return {};
  const auto& [slow, fast] = axes;
  const std::vector<double>& slow_squares = (*ellipse.squares)[slow];
  const std::vector<double>& fast_squares = (*ellipse.squares)[fast];
  std::vector<Box> columns;
  Box box = Box::whole(global);
  for (Index i = 0; i < global[slow]; ++i) {
    box.lower[slow] = i;
    box.upper[slow] = i + 1;
    const auto inside = [&](Index j) { return slow_squares[i] + fast_squares[j] <= 1; };
    for (Index j = 0; j < global[fast]; ++j) {
      if (!inside(j)) continue;
      box.lower[fast] = j;
      while (j < global[fast] && inside(j)) ++j;
      box.upper[fast] = j;
      columns.push_back(box);
    }
  }
  return columns;
}

}  // namespace weft
