// The usual spectral operators as functions of a line's wavenumbers. They recompute weights on each
// use instead of storing them for every mode.
#include <fmt/format.h>

#include <cmath>

#include "transform/kinds.hpp"
#include "transform/ready_operator.hpp"

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

/// A function of lines on the host, and the same as data.
template <class Line>
struct Ready {
  ReadyOperator data;
  std::function<void(const Line&)> on_host;

  void operator()(const Line& line) const { on_host(line); }
};
template <class T>
using ReadyLine = Ready<SpectrumLine<T>>;
template <class T>
using ReadyLines = Ready<SpectrumLines<T>>;

/// Multiplies each mode by mode_factor of |kappa|^2. The operation is known when this is compiled,
/// so that the loops can be vectorised.
template <class T, ModeOperation operation>
ReadyLine<T> scaling(const PerAxis<double>& unit, const PerAxis<double>& offset,
                     double parameter = 0) {
  const PerAxis<double> no_points = PerAxis<double>::filled(unit.size(), 0);
  ReadyOperator data{operation, parameter, {unit, offset, no_points}, {}};
  const auto work = [data](const SpectrumLine<T>& line) {
    using Real = typename Components<T>::Real;
    constexpr std::size_t parts = Components<T>::count;
    double others = 0;
    for (int axis = 0; axis < data.waves.unit.size(); ++axis)
      if (axis != line.axis) others += std::pow(data.waves.kappa(axis, line.at[axis]), 2);
    // Split into two loops over reals, which compilers can vectorise.
    const double step = data.waves.unit[line.axis], first = step * data.waves.offset[line.axis];
    const double parameter = data.parameter;
    const double* const k = line.wavenumbers.data();
    Real* const values = reinterpret_cast<Real*>(line.values.data());
    const std::size_t count = line.values.size();
    constexpr std::size_t few = 64;
    Real weights[few];
    for (std::size_t begin = 0; begin < count; begin += few) {
      const std::size_t end = std::min(count, begin + few);
      for (std::size_t i = begin; i < end; ++i) {
        const double kappa = step * k[i] + first;
        weights[i - begin] =
            static_cast<Real>(mode_factor(operation, others + kappa * kappa, parameter));
      }
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t part = 0; part < parts; ++part)
          values[parts * i + part] *= weights[i - begin];
    }
  };
  return {std::move(data), work};
}

/// Changes the components of each mode of a vector field.
template <class T>
ReadyLines<T> combining(ReadyOperator data) {
  const auto work = [data](const SpectrumLines<T>& lines) {
    using Real = typename T::value_type;
    const std::size_t axes = data.axes.size();
    data.require_components(lines.values.size());
    Real kappa[max_axes];
    Number<Real> values[max_axes];
    for (std::size_t i = 0; i < lines.wavenumbers.size(); ++i) {
      for (std::size_t a = 0; a < axes; ++a) {
        const T value = lines.values[a][i];
        kappa[a] =
            static_cast<Real>(data.waves.kappa(data.axes[a], lines.wavenumber(i, data.axes[a])));
        values[a] = {value.real(), value.imag()};
      }
      combine(data.operation, values, kappa, static_cast<int>(axes));
      for (std::size_t a = 0; a < axes; ++a) lines.values[a][i] = T(values[a].re, values[a].im);
    }
  };
  return {std::move(data), work};
}

template <class T, template <class> class Untyped, template <class> class Function, class Raw>
const ReadyOperator* ready_in(const Raw& function) {
  const auto* const typed = function.template target<Untyped<T>>();
  if (typed == nullptr) return nullptr;
  const auto* const ready = typed->function.template target<Function<T>>();
  return ready == nullptr ? nullptr : &ready->data;
}

template <template <class> class Untyped, template <class> class Function, class Raw>
const ReadyOperator* ready_of(const Raw& function, ElementType type) {
  const bool is_double = type.precision == Precision::double_;
  if (type.real)
    return is_double ? ready_in<double, Untyped, Function>(function)
                     : ready_in<float, Untyped, Function>(function);
  return is_double ? ready_in<std::complex<double>, Untyped, Function>(function)
                   : ready_in<std::complex<float>, Untyped, Function>(function);
}

}  // namespace

void ReadyOperator::require_components(std::size_t fields) const {
  if (fields < axes.size())
    throw Error(fmt::format(
        "{}: {} fields given; valid is one component for each of the {} transformed axes", name,
        fields, axes.size()));
}

const ReadyOperator* ready_operator(const RawLineFunction& function, ElementType type) {
  return ready_of<UntypedLineFunction, ReadyLine>(function, type);
}

const ReadyOperator* ready_operator(const RawFieldsFunction& function, ElementType type) {
  return ready_of<UntypedFieldsFunction, ReadyLines>(function, type);
}

RawFieldsFunction with_opposite_waves(const RawFieldsFunction& function, ElementType type) {
  ReadyOperator opposite = *ready_operator(function, type);
  for (double& unit : opposite.waves.unit) unit = -unit;
  if (type.precision == Precision::double_)
    return untyped<std::complex<double>>(combining<std::complex<double>>(std::move(opposite)));
  return untyped<std::complex<float>>(combining<std::complex<float>>(std::move(opposite)));
}

SpectralOperators::SpectralOperators(const Transform& transform, const std::vector<double>& lengths)
    : kinds_(transform.kinds) {
  validate(transform);
  require_lengths(transform, lengths);
  for (int axis = 0; axis < transform.shape.size(); ++axis) {
    const Kind kind = transform.kinds[axis];
    unit_.push_back(wave_unit(kind, lengths[static_cast<std::size_t>(axis)]));
    offset_.push_back(wave_offset(kind));
    const Index grid = transform.modes.empty() ? 0 : transform.modes[axis].grid;
    const bool has_walls = is_trigonometric(kind);
    points_.push_back(has_walls ? 0
                                : static_cast<double>(grid != 0 ? grid : transform.shape[axis]));
  }
}

void SpectralOperators::require_periodic(int axis, const char* name) const {
  if (points_[axis] == 0)
    throw Error(fmt::format(
        "{}: axis {} has walls; the derivative of its cosines is one of sines (of sines, one of "
        "cosines), which another plan transforms back; valid are periodic axes",
        name, axis));
}

std::vector<int> SpectralOperators::vector_axes(const char* name) const {
  std::vector<int> axes;
  for (int axis = 0; axis < unit_.size(); ++axis)
    if (unit_[axis] != 0) {
      require_periodic(axis, name);
      axes.push_back(axis);
    }
  return axes;
}

template <class T>
LineFunction<T> SpectralOperators::inverse_laplacian() const {
  require_one_mode_each(kinds_, "inverse_laplacian");
  return scaling<T, ModeOperation::inverse_laplacian>(unit_, offset_);
}

template <class T>
LineFunction<T> SpectralOperators::laplacian() const {
  require_one_mode_each(kinds_, "laplacian");
  return scaling<T, ModeOperation::laplacian>(unit_, offset_);
}

template <class T>
LineFunction<T> SpectralOperators::gaussian(double width) const {
  require_one_mode_each(kinds_, "gaussian");
  return scaling<T, ModeOperation::gaussian>(unit_, offset_, width);
}

template <class T>
LineFunction<T> SpectralOperators::sharp(double cutoff) const {
  require_one_mode_each(kinds_, "sharp");
  return scaling<T, ModeOperation::sharp>(unit_, offset_, cutoff);
}

template <class T>
LineFunction<T> SpectralOperators::derivative(int axis) const {
  if (axis < 0 || axis >= unit_.size() || unit_[axis] == 0)
    throw Error(fmt::format("derivative: {} is not a transformed axis", axis));
  require_periodic(axis, "derivative");
  const ReadyOperator data{ModeOperation::derivative, 0, {unit_, offset_, points_}, {axis}};
  const auto work = [data, axis](const SpectrumLine<T>& line) {
    using Real = typename T::value_type;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      const auto kappa = static_cast<Real>(data.waves.kappa(axis, line.wavenumber(i, axis)));
      Number<Real> value{line.values[i].real(), line.values[i].imag()};
      combine(ModeOperation::derivative, &value, &kappa, 1);
      line.values[i] = T(value.re, value.im);
    }
  };
  return ReadyLine<T>{data, work};
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
  const std::vector<int> axes = vector_axes("divergence");
  return combining<T>(
      {ModeOperation::divergence, 0, {unit_, offset_, points_}, axes, "divergence"});
}

template <class T>
FieldsFunction<T> SpectralOperators::curl() const {
  const std::vector<int> axes = vector_axes("curl");
  if (axes.size() != 2 && axes.size() != 3)
    throw Error(fmt::format("curl: {} axes are transformed; valid are 2 and 3", axes.size()));
  return combining<T>({ModeOperation::curl, 0, {unit_, offset_, points_}, axes, "curl"});
}

template <class T>
FieldsFunction<T> SpectralOperators::projection() const {
  const std::vector<int> axes = vector_axes("projection");
  return combining<T>(
      {ModeOperation::projection, 0, {unit_, offset_, points_}, axes, "projection"});
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
