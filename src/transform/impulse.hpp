// Closed forms along each axis: the spectrum of an impulse at one point, and the factors of a
// cyclic shift. An element of the spectrum has the product over the axes.
#pragma once

#include <complex>
#include <vector>
#include <weft/transform.hpp>

namespace weft {

/// By index of the spectrum along the axis: the transform of a line that is 1 at `point` and 0
/// elsewhere, without the transform's scale; 0 for dropped modes.
std::vector<std::complex<double>> impulse_spectrum(const Transform& transform, int axis,
                                                   Index point);

/// The factors by which a cyclic shift of the physical array by `shift` points multiplies the
/// spectrum. 0 for dropped modes, and for modes on which a shift is no plain multiplication. 1
/// everywhere along an axis that is not periodic or not transformed, which must not be shifted.
/// Shifts along r2c_packed axes must be even.
std::vector<std::complex<double>> shift_factors(const Transform& transform, int axis, Index shift);

}  // namespace weft
