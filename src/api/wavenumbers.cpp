// The lists behind wavenumbers and weighted sums; the loops over elements are templates in the
// header.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <weft/wavenumbers.hpp>

#include "transform/kinds.hpp"
#include "transform/parseval.hpp"

namespace weft {
namespace {

/// The factors from periods to angular wavenumbers; 0 for batch axes.
PerAxis<double> units_of(const Transform& transform, const std::vector<double>& lengths) {
  PerAxis<double> units;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    units.push_back(wave_unit(transform.kinds[axis], lengths[static_cast<std::size_t>(axis)]));
  return units;
}

/// The values of the indices that a rank holds along the axis, in the order of its elements.
std::vector<double> part(const std::vector<double>& all, const Layout& layout, int rank, int axis) {
  std::vector<double> values;
  const Box box = layout.box(rank);
  for (Index at = box.lower[axis]; at < box.upper[axis]; ++at)
    if (const Index index = layout.index_at(axis, at); index < std::ssize(all))
      values.push_back(all[static_cast<std::size_t>(index)]);
  return values;
}

Side spectral_side(const Transform& transform) {
  return analysis_direction(transform) == Direction::forward ? Side::output : Side::input;
}

const Layout& spectral_layout(const Plan& plan) { return plan.layout(spectral_side(plan)); }

}  // namespace

Side spectral_side(const Plan& plan) { return spectral_side(plan.transform()); }

Wavenumbers::Wavenumbers(const Plan& plan)
    : box_(spectral_layout(plan).box(plan.rank())),
      strides_(spectral_layout(plan).strides(plan.rank())) {
  const auto part_of = [&](const std::vector<double>& all, int axis) {
    return part(all, spectral_layout(plan), plan.rank(), axis);
  };
  for (int axis = 0; axis < box_.axes(); ++axis) {
    along_.push_back(part_of(wavenumbers_along(plan.transform(), axis), axis));
    weights_.push_back(part_of(parseval_weights(plan.transform(), axis, Domain::spectral), axis));
  }
}

std::vector<double> wavenumbers_along(const Transform& transform, int axis) {
  const std::vector<Index> numbers = transform.wavenumbers(axis);
  std::vector<double> periods(numbers.begin(), numbers.end());
  for (double& k : periods) k += wave_offset(transform.kinds[axis]);
  return periods;
}

Wavenumbers::Wavenumbers(const Plan& plan, const std::vector<double>& lengths) : Wavenumbers(plan) {
  require_lengths(plan.transform(), lengths);
  const PerAxis<double> units = units_of(plan.transform(), lengths);
  for (int axis = 0; axis < box_.axes(); ++axis)
    if (plan.transform().kinds[axis] != Kind::none)
      for (double& k : along_[axis]) k *= units[axis];
}

MeanSquareWeights::MeanSquareWeights(const Plan& plan, Side side)
    : MeanSquareWeights(plan.transform(), side) {
  for (int axis = 0; axis < weights.size(); ++axis)
    weights[axis] = part(weights[axis], plan.layout(side), plan.rank(), axis);
}

MeanSquareWeights::MeanSquareWeights(const Transform& transform, Side side) {
  const Domain domain = side == spectral_side(transform) ? Domain::spectral : Domain::physical;
  double points = 1;
  for (int axis = 0; axis < transform.shape.size(); ++axis) {
    weights.push_back(parseval_weights(transform, axis, domain));
    const std::vector<double> physical = parseval_weights(transform, axis, Domain::physical);
    points *= std::accumulate(physical.begin(), physical.end(), 0.0);
  }
  factor = (domain == Domain::spectral ? parseval_factor(transform) : 1) / points;
}

void require_on_host(const Plan& plan, const void* array, const char* name) {
  plan.agree([&] {
    if (array != nullptr && plan.is_on_device(array))
      throw Error(
          fmt::format("{}: lies in the memory of a device; valid is one of the host", name));
  });
}

Shells shells_of(const Plan& plan, const std::vector<double>& lengths) {
  const Transform& transform = plan.transform();
  require_one_mode_each(transform.kinds, "energy_by_shell");
  if (!lengths.empty()) require_lengths(transform, lengths);
  PerAxis<double> units = PerAxis<double>::filled(transform.shape.size(), 1);
  if (!lengths.empty()) units = units_of(transform, lengths);
  double width = 0, squares = 0;
  for (int axis = 0; axis < units.size(); ++axis) {
    if (transform.kinds[axis] == Kind::none) continue;
    width = width == 0 ? units[axis] : std::min(width, units[axis]);
    double largest = 0;
    for (const double k : wavenumbers_along(transform, axis))
      largest = std::max(largest, std::abs(k));
    squares += units[axis] * largest * units[axis] * largest;
  }
  if (width == 0) width = 1;
  return {width, static_cast<std::size_t>(std::sqrt(squares) / width + 0.5) + 1};
}

}  // namespace weft
