// Orthogonality of DCT and DST comes from the table of end weights: transforms of x times first_in
// at its first element, ..., keep the sum of squares up to the factor N.
#include "transform/parseval.hpp"

#include <algorithm>
#include <cmath>

#include "transform/kinds.hpp"

namespace weft {
namespace {

std::vector<double> half_complex_weights(const Transform& transform, int axis) {
  const Index grid = transform.modes.empty() ? 0 : transform.modes[axis].grid;
  const Index points = grid != 0 ? grid : transform.shape[axis];
  std::vector<double> weights;
  for (const Index k : transform.wavenumbers(axis))
    weights.push_back(k == 0 || 2 * k == points ? 1 : 2);
  return weights;
}

double square(double value) { return value * value; }

}  // namespace

double scale_factor(const Transform& transform, Direction direction) {
  const bool forward = direction == Direction::forward;
  const double size = transform.logical_size();
  switch (transform.scale.rule) {
    case Scale::Rule::backward:
      return forward ? 1 : 1 / size;
    case Scale::Rule::ortho:
      return 1 / std::sqrt(size);
    case Scale::Rule::forward:
      return forward ? 1 / size : 1;
    case Scale::Rule::number:
      break;
  }
  return forward ? transform.scale.factor : 1 / (transform.scale.factor * size);
}

Direction analysis_direction(const Transform& transform) {
  return std::ranges::find(transform.kinds, Kind::c2r) == transform.kinds.end()
             ? Direction::forward
             : Direction::backward;
}

std::vector<double> parseval_weights(const Transform& transform, int axis, Domain domain) {
  const bool spectral = domain == Domain::spectral;
  const Kind kind = transform.kinds[axis];
  if (spectral && is_half_complex(kind)) return half_complex_weights(transform, axis);
  const Shape shape = spectral ? transform.spectral_shape() : transform.shape;
  std::vector<double> weights(static_cast<std::size_t>(shape[axis]), 1);
  if (!is_trigonometric(kind) || transform.scale.rule == Scale::Rule::ortho) return weights;
  const EndWeights ends = orthogonal_weights(line_kind(kind, Sense::analysis));
  const std::vector<Index> wavenumbers = transform.wavenumbers(axis);
  const Index last = transform.shape[axis] - 1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Index k = spectral ? wavenumbers[i] : static_cast<Index>(i);
    if (k == 0) weights[i] *= spectral ? square(ends.first_out) : 1 / square(ends.first_in);
    if (k == last) weights[i] *= spectral ? square(ends.last_out) : 1 / square(ends.last_in);
  }
  return weights;
}

double parseval_factor(const Transform& transform) {
  return 1 / (transform.logical_size() *
              square(scale_factor(transform, analysis_direction(transform))));
}

}  // namespace weft
