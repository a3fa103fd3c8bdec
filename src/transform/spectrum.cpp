// The usual spectral operators as functions of a line's wavenumbers. They recompute weights on each
// use instead of storing them for every mode.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <weft/spectrum.hpp>

#include "transform/kinds.hpp"

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
    points_.push_back(static_cast<double>(grid != 0 ? grid : transform.shape[axis]));
  }
}

void SpectralOperators::require_axis(int axis) const {
  if (axis < 0 || axis >= unit_.size() || unit_[axis] == 0)
    throw Error(fmt::format("derivative: {} is not a transformed axis", axis));
}

namespace {

/// Multiplies each mode by factor(|kappa|^2).
template <class T, class Factor>
LineFunction<T> scaling(const PerAxis<double>& unit, Factor factor) {
  return [unit, factor](const SpectrumLine<T>& line) {
    using Real = typename T::value_type;
    double others = 0;
    for (int axis = 0; axis < unit.size(); ++axis)
      if (axis != line.axis) others += std::pow(unit[axis] * line.at[axis], 2);
    // Split into two loops over reals, which compilers can vectorise.
    const double step = unit[line.axis];
    const double* const k = line.wavenumbers.data();
    Real* const values = reinterpret_cast<Real*>(line.values.data());
    const std::size_t count = line.values.size();
    constexpr std::size_t few = 64;
    Real weights[few];
    for (std::size_t begin = 0; begin < count; begin += few) {
      const std::size_t end = std::min(count, begin + few);
      for (std::size_t i = begin; i < end; ++i)
        weights[i - begin] = static_cast<Real>(factor(others + step * k[i] * step * k[i]));
      for (std::size_t i = begin; i < end; ++i) {
        values[2 * i] *= weights[i - begin];
        values[2 * i + 1] *= weights[i - begin];
      }
    }
  };
}

}  // namespace

template <class T>
LineFunction<T> SpectralOperators::inverse_laplacian() const {
  // Divides in either case, so that the loop can be vectorised.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return scaling<T>(unit_, [](double square) { return -1 / (square > 0 ? square : infinity); });
}

template <class T>
LineFunction<T> SpectralOperators::gaussian(double width) const {
  return scaling<T>(unit_, [=](double square) { return std::exp(-0.5 * square * width * width); });
}

template <class T>
LineFunction<T> SpectralOperators::sharp(double cutoff) const {
  return scaling<T>(unit_, [=](double square) { return square <= cutoff * cutoff ? 1.0 : 0.0; });
}

template <class T>
LineFunction<T> SpectralOperators::derivative(int axis) const {
  require_axis(axis);
  return [unit = unit_[axis], points = points_[axis], axis](const SpectrumLine<T>& line) {
    using Real = typename T::value_type;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      const double k = line.wavenumber(i, axis);
      const bool nyquist = 2 * std::abs(k) == points;
      const Real kappa = nyquist ? Real(0) : static_cast<Real>(unit * k);
      line.values[i] = T(-kappa * line.values[i].imag(), kappa * line.values[i].real());
    }
  };
}

template <class T>
std::vector<LineFunction<T>> SpectralOperators::gradient() const {
  std::vector<LineFunction<T>> result;
  for (int axis = 0; axis < unit_.size(); ++axis)
    if (unit_[axis] != 0) result.push_back(derivative<T>(axis));
  return result;
}

template LineFunction<std::complex<double>> SpectralOperators::inverse_laplacian() const;
template LineFunction<std::complex<double>> SpectralOperators::gaussian(double) const;
template LineFunction<std::complex<double>> SpectralOperators::sharp(double) const;
template LineFunction<std::complex<double>> SpectralOperators::derivative(int) const;
template std::vector<LineFunction<std::complex<double>>> SpectralOperators::gradient() const;
template LineFunction<std::complex<float>> SpectralOperators::inverse_laplacian() const;
template LineFunction<std::complex<float>> SpectralOperators::gaussian(double) const;
template LineFunction<std::complex<float>> SpectralOperators::sharp(double) const;
template LineFunction<std::complex<float>> SpectralOperators::derivative(int) const;
template std::vector<LineFunction<std::complex<float>>> SpectralOperators::gradient() const;

}  // namespace weft
