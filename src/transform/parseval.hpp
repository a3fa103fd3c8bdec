// How often each element counts in the sums of squares that a transform keeps.
#pragma once

#include <vector>
#include <weft/transform.hpp>

namespace weft {

/// The factor of a transform's forward or backward that Scale asks for.
double scale_factor(const Transform& transform, Direction direction);

/// The direction of a plan that leads to the spectrum: forward unless its kind is c2r.
Direction analysis_direction(const Transform& transform);

/// Which of its two arrays: the spectrum, or what it is the spectrum of.
enum class Domain { physical, spectral };

/// Weights by index of the array's axis: products over the axes are the weights of elements. Modes
/// whose conjugates are implied count twice, ends of lines half where a DCT or DST is orthogonal
/// only so (see orthogonal_weights); with Scale::ortho, which makes them orthogonal by itself, they
/// count like all others.
std::vector<double> parseval_weights(const Transform& transform, int axis, Domain domain);

/// What the weighted sum of |spectrum|^2 is to be multiplied by to give the weighted sum of
/// |physical|^2 (Parseval's theorem), if no modes are dropped.
double parseval_factor(const Transform& transform);

}  // namespace weft
