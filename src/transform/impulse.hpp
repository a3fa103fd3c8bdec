// What the spectrum of one point's impulse is, and that of a shifted array, in closed form along
// each axis: elements of the spectrum have the product over the axes.
#pragma once

#include <complex>
#include <vector>
#include <weft/transform.hpp>

namespace weft {

/// By index of the spectrum along the axis: the transform of a line that is 1 at `point` and 0
/// elsewhere, without the transform's scale; 0 for dropped modes.
std::vector<std::complex<double>> impulse_spectrum(const Transform& transform, int axis,
                                                   Index point);

/// What shifting the physical array cyclically by `shift` points multiplies the spectrum by; 0 for
/// modes on which a shift is no plain multiplication, and for dropped ones. 1 everywhere along an
/// axis that is not periodic or not transformed, which must not be shifted. Shifts along r2c_packed
/// axes must be even.
std::vector<std::complex<double>> shift_factors(const Transform& transform, int axis, Index shift);

}  // namespace weft
