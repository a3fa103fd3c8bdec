// What the usual spectral operators need to know of a transform.
#include <fmt/format.h>

#include <numbers>
#include <weft/spectrum.hpp>

#include "plan/kinds.hpp"

namespace weft {

SpectralOperators::SpectralOperators(const Transform& transform, std::vector<double> lengths) {
  validate(transform);
  const int axes = transform.shape.size();
  if (static_cast<int>(lengths.size()) != axes)
    throw Error(fmt::format("lengths: {} given for the {} axes of shape {}", lengths.size(), axes,
                            to_string(transform.shape)));
  for (int axis = 0; axis < axes; ++axis) {
    const Kind kind = transform.kinds[axis];
    if (kind != Kind::none && kind != Kind::c2c && !is_half_complex(kind))
      throw Error(
          fmt::format("spectral operators: axis {} is transformed by {}, which is not of "
                      "waves exp(ikx)",
                      axis, to_string(kind)));
    if (kind != Kind::none && !(lengths[axis] > 0 && std::isfinite(lengths[axis])))
      throw Error(fmt::format("lengths: {} along axis {}: must be positive", lengths[axis], axis));
    unit_.push_back(kind == Kind::none ? 0 : 2 * std::numbers::pi / lengths[axis]);
    const Index grid = transform.modes.empty() ? 0 : transform.modes[axis].grid;
    points_.push_back(grid != 0 ? grid : transform.shape[axis]);
  }
}

void SpectralOperators::require_axis(int axis) const {
  if (axis < 0 || axis >= unit_.size() || unit_[axis] == 0)
    throw Error(fmt::format("derivative: {} is not a transformed axis", axis));
}

}  // namespace weft
