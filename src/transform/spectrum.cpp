// The usual spectral operators as functions of a line's wavenumbers. They recompute weights on each
// use instead of storing them for every mode.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <weft/spectrum.hpp>

#include "transform/kinds.hpp"

namespace weft {
namespace {

template <class T>
struct Components {
  using Real = T;
  static constexpr std::size_t count = 1;
};
template <class Value>
struct Components<std::complex<Value>> {
  using Real = Value;
  static constexpr std::size_t count = 2;
};

/// Multiplies each mode by factor(|kappa|^2).
template <class T, class Factor>
LineFunction<T> scaling(const PerAxis<double>& unit, const PerAxis<double>& offset, Factor factor) {
  return [unit, offset, factor](const SpectrumLine<T>& line) {
    using Real = typename Components<T>::Real;
    constexpr std::size_t parts = Components<T>::count;
    double others = 0;
    for (int axis = 0; axis < unit.size(); ++axis)
      if (axis != line.axis) others += std::pow(unit[axis] * (line.at[axis] + offset[axis]), 2);
    // Split into two loops over reals, which compilers can vectorise.
    const double step = unit[line.axis], first = step * offset[line.axis];
    const double* const k = line.wavenumbers.data();
    Real* const values = reinterpret_cast<Real*>(line.values.data());
    const std::size_t count = line.values.size();
    constexpr std::size_t few = 64;
    Real weights[few];
    for (std::size_t begin = 0; begin < count; begin += few) {
      const std::size_t end = std::min(count, begin + few);
      for (std::size_t i = begin; i < end; ++i) {
        const double kappa = step * k[i] + first;
        weights[i - begin] = static_cast<Real>(factor(others + kappa * kappa));
      }
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t part = 0; part < parts; ++part)
          values[parts * i + part] *= weights[i - begin];
    }
  };
}

template <class T>
T times_i(T value) {
  return T(-value.imag(), value.real());
}

}  // namespace

SpectralOperators::SpectralOperators(const Transform& transform,
                                     const std::vector<double>& lengths) {
  validate(transform);
  require_lengths(transform, lengths);
  for (int axis = 0; axis < transform.shape.size(); ++axis) {
    const Kind kind = transform.kinds[axis];
    unit_.push_back(wave_unit(kind, lengths[static_cast<std::size_t>(axis)]));
    offset_.push_back(wave_offset(kind));
    const Index grid = transform.modes.empty() ? 0 : transform.modes[axis].grid;
    const bool has_walls = is_trigonometric(line_kind(kind, Sense::analysis));
    points_.push_back(has_walls ? 0
                                : static_cast<double>(grid != 0 ? grid : transform.shape[axis]));
  }
}

SpectralOperators::Wave SpectralOperators::periodic_wave(int axis, const char* name) const {
  if (points_[axis] == 0)
    throw Error(fmt::format(
        "{}: axis {} has walls; the derivative of its cosines is one of sines (of sines, one of "
        "cosines), which another plan transforms back; valid are periodic axes",
        name, axis));
  return {axis, unit_[axis], points_[axis]};
}

std::vector<SpectralOperators::Wave> SpectralOperators::vector_waves(const char* name) const {
  std::vector<Wave> waves;
  for (int axis = 0; axis < unit_.size(); ++axis)
    if (unit_[axis] != 0) waves.push_back(periodic_wave(axis, name));
  return waves;
}

/// `work(values, kappa, axes)` changes the values of the components of one mode.
template <class T, class Work>
FieldsFunction<T> SpectralOperators::vector_function(const char* name, Work work) const {
  return [waves = vector_waves(name), work, name](const SpectrumLines<T>& lines) {
    using Real = typename T::value_type;
    if (lines.values.size() < waves.size())
      throw Error(fmt::format(
          "{}: {} fields given; valid is one component for each of the {} transformed axes", name,
          lines.values.size(), waves.size()));
    Real kappa[max_axes];
    T values[max_axes];
    const std::size_t axes = waves.size();
    for (std::size_t i = 0; i < lines.wavenumbers.size(); ++i) {
      for (std::size_t a = 0; a < axes; ++a) {
        kappa[a] = static_cast<Real>(waves[a].kappa(lines.wavenumber(i, waves[a].axis)));
        values[a] = lines.values[a][i];
      }
      work(values, kappa, axes);
      for (std::size_t a = 0; a < axes; ++a) lines.values[a][i] = values[a];
    }
  };
}

template <class T>
LineFunction<T> SpectralOperators::inverse_laplacian() const {
  // Divides in either case, so that the loop can be vectorised.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return scaling<T>(unit_, offset_,
                    [](double square) { return -1 / (square > 0 ? square : infinity); });
}

template <class T>
LineFunction<T> SpectralOperators::laplacian() const {
  return scaling<T>(unit_, offset_, [](double square) { return -square; });
}

template <class T>
LineFunction<T> SpectralOperators::gaussian(double width) const {
  return scaling<T>(unit_, offset_,
                    [=](double square) { return std::exp(-0.5 * square * width * width); });
}

template <class T>
LineFunction<T> SpectralOperators::sharp(double cutoff) const {
  return scaling<T>(unit_, offset_,
                    [=](double square) { return square <= cutoff * cutoff ? 1.0 : 0.0; });
}

template <class T>
LineFunction<T> SpectralOperators::derivative(int axis) const {
  if (axis < 0 || axis >= unit_.size() || unit_[axis] == 0)
    throw Error(fmt::format("derivative: {} is not a transformed axis", axis));
  return [wave = periodic_wave(axis, "derivative")](const SpectrumLine<T>& line) {
    using Real = typename T::value_type;
    for (std::size_t i = 0; i < line.values.size(); ++i)
      line.values[i] =
          times_i(static_cast<Real>(wave.kappa(line.wavenumber(i, wave.axis))) * line.values[i]);
  };
}

template <class T>
std::vector<LineFunction<T>> SpectralOperators::gradient() const {
  std::vector<LineFunction<T>> result;
  for (int axis = 0; axis < unit_.size(); ++axis)
    if (unit_[axis] != 0) result.push_back(derivative<T>(axis));
  return result;
}

template <class T>
FieldsFunction<T> SpectralOperators::divergence() const {
  return vector_function<T>("divergence", [](T* u, const auto* kappa, std::size_t axes) {
    T sum = 0;
    for (std::size_t a = 0; a < axes; ++a) sum += kappa[a] * u[a];
    u[0] = times_i(sum);
  });
}

template <class T>
FieldsFunction<T> SpectralOperators::curl() const {
  const std::size_t axes = vector_waves("curl").size();
  if (axes == 2)
    return vector_function<T>("curl", [](T* u, const auto* kappa, std::size_t) {
      u[0] = times_i(kappa[0] * u[1] - kappa[1] * u[0]);
    });
  if (axes != 3) throw Error(fmt::format("curl: {} axes are transformed; valid are 2 and 3", axes));
  return vector_function<T>("curl", [](T* u, const auto* kappa, std::size_t) {
    const T x = times_i(kappa[1] * u[2] - kappa[2] * u[1]);
    const T y = times_i(kappa[2] * u[0] - kappa[0] * u[2]);
    const T z = times_i(kappa[0] * u[1] - kappa[1] * u[0]);
    u[0] = x, u[1] = y, u[2] = z;
  });
}

template <class T>
FieldsFunction<T> SpectralOperators::projection() const {
  return vector_function<T>("projection", [](T* u, const auto* kappa, std::size_t axes) {
    T along = 0;
    typename T::value_type square = 0;
    for (std::size_t a = 0; a < axes; ++a) {
      along += kappa[a] * u[a];
      square += kappa[a] * kappa[a];
    }
    if (square == 0) return;
    for (std::size_t a = 0; a < axes; ++a) u[a] -= kappa[a] / square * along;
  });
}

template LineFunction<double> SpectralOperators::inverse_laplacian() const;
template LineFunction<double> SpectralOperators::laplacian() const;
template LineFunction<double> SpectralOperators::gaussian(double) const;
template LineFunction<double> SpectralOperators::sharp(double) const;
template LineFunction<float> SpectralOperators::inverse_laplacian() const;
template LineFunction<float> SpectralOperators::laplacian() const;
template LineFunction<float> SpectralOperators::gaussian(double) const;
template LineFunction<float> SpectralOperators::sharp(double) const;
template LineFunction<std::complex<double>> SpectralOperators::inverse_laplacian() const;
template LineFunction<std::complex<double>> SpectralOperators::laplacian() const;
template LineFunction<std::complex<double>> SpectralOperators::gaussian(double) const;
template LineFunction<std::complex<double>> SpectralOperators::sharp(double) const;
template LineFunction<std::complex<float>> SpectralOperators::inverse_laplacian() const;
template LineFunction<std::complex<float>> SpectralOperators::laplacian() const;
template LineFunction<std::complex<float>> SpectralOperators::gaussian(double) const;
template LineFunction<std::complex<float>> SpectralOperators::sharp(double) const;
template LineFunction<std::complex<double>> SpectralOperators::derivative(int) const;
template std::vector<LineFunction<std::complex<double>>> SpectralOperators::gradient() const;
template FieldsFunction<std::complex<double>> SpectralOperators::divergence() const;
template FieldsFunction<std::complex<double>> SpectralOperators::curl() const;
template FieldsFunction<std::complex<double>> SpectralOperators::projection() const;
template LineFunction<std::complex<float>> SpectralOperators::derivative(int) const;
template std::vector<LineFunction<std::complex<float>>> SpectralOperators::gradient() const;
template FieldsFunction<std::complex<float>> SpectralOperators::divergence() const;
template FieldsFunction<std::complex<float>> SpectralOperators::curl() const;
template FieldsFunction<std::complex<float>> SpectralOperators::projection() const;

}  // namespace weft
