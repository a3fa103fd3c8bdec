// The ready-made spectral operators as data, for devices, which cannot call functions of the host.
#pragma once

#include <cmath>
#include <weft/spectrum.hpp>

#include "device_kernel/mode_operation.hpp"

namespace weft {

/// The angular wavenumbers of all axes.
struct Waves {
  PerAxis<double> unit;    ///< see wave_unit
  PerAxis<double> offset;  ///< see wave_offset
  /// Points of the grid whose Nyquist mode has kappa 0, see SpectralOperators::derivative; 0 if no
  /// mode is treated so.
  PerAxis<double> points;

  double kappa(int axis, double k) const {
    if (points[axis] > 0 && 2 * std::abs(k) == points[axis]) return 0;
    return unit[axis] * (k + offset[axis]);
  }
  friend bool operator==(const Waves&, const Waves&) = default;
};

struct ReadyOperator {
  ModeOperation operation = ModeOperation::laplacian;
  double parameter = 0;  ///< see mode_factor
  Waves waves;
  std::vector<int> axes;  ///< of the components of a vector field, or of the derivative
  const char* name = "";  ///< for messages, of the operators of vector fields

  /// Throws unless there are as many fields as components.
  void require_components(std::size_t fields) const;
};

/// The ready-made operator behind a function; null for any other function. `type`: of the spectrum.
const ReadyOperator* ready_operator(const RawLineFunction& function, ElementType type);
const ReadyOperator* ready_operator(const RawFieldsFunction& function, ElementType type);

/// The same operator of vector fields with -kappa in place of kappa.
RawFieldsFunction with_opposite_waves(const RawFieldsFunction& function, ElementType type);

}  // namespace weft
