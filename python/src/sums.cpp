// Wavenumbers and weights of the arrays of a transform, for solvers.
#include "plan.hpp"

namespace weft::python {
namespace {

/// For each axis the wavenumbers of all modes, in periods or half periods.
nb::tuple wavenumbers(const Transform& transform) {
  nb::list along;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    along.append(nb::cast(numpy_array(wavenumbers_along(transform, axis))));
  return nb::tuple(along);
}

/// The weights of all elements at that end, by axis, and the factor of their mean square.
nb::tuple mean_square_weights(const Transform& transform, bool is_input) {
  const MeanSquareWeights all(transform, side_of(is_input));
  nb::list weights;
  for (const std::vector<double>& axis : all.weights) weights.append(nb::cast(numpy_array(axis)));
  return nb::make_tuple(nb::tuple(weights), all.factor);
}

}  // namespace

void bind_sums(nb::module_& module) {
  module.def("wavenumbers", &wavenumbers, nb::arg("transform"));
  module.def("mean_square_weights", &mean_square_weights, nb::arg("transform"),
             nb::arg("is_input"));
  module.def(
      "grid_points",
      [](const std::string& kind, Index length) {
        const GridPoints points = grid_points(parse_kind(kind), length);
        return nb::make_tuple(points.first, points.steps, points.has_walls);
      },
      nb::arg("kind"), nb::arg("length"));
}

}  // namespace weft::python
