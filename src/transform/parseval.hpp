// The weights of elements with which a transform preserves sums of squares (Parseval's theorem).
#pragma once

#include <vector>
#include <weft/transform.hpp>

namespace weft {

/// The factor that Scale asks for in that direction of the transform.
double scale_factor(const Transform& transform, Direction direction);

/// The direction of a plan that leads to the spectrum: forward unless its kind is c2r.
Direction analysis_direction(const Transform& transform);

/// One of a transform's two arrays: the physical array, or its spectrum.
enum class Domain { physical, spectral };

/// Weights by index of the array's axis; the weight of an element is the product over the axes.
/// Modes whose conjugates are implied count twice. Ends of lines count half if a DCT or DST is
/// orthogonal only with that weight (see orthogonal_weights). With Scale::ortho, which makes these
/// transforms orthogonal by itself, ends count like all other elements.
std::vector<double> parseval_weights(const Transform& transform, int axis, Domain domain);

/// The factor of the weighted sum of |spectrum|^2 that makes it equal to the weighted sum of
/// |physical|^2 (Parseval's theorem), if no modes are dropped.
double parseval_factor(const Transform& transform);

}  // namespace weft
