// An operator on spectra in a device's memory, with a thread for each mode. It sweeps over whole
// arrays once more, but needs only their layout, so one kernel serves all operators and fields.
#pragma once

#include "device_kernel/mode_operation.hpp"

namespace weft {

inline constexpr int mode_axes = 8;

struct ModeJob {
  ModeOperation operation = ModeOperation::laplacian;
  double parameter = 0;  ///< see mode_factor
  Index modes = 0;
  int axes = 0;  ///< the fastest in memory last
  unsigned extents[mode_axes] = {};
  Index strides[mode_axes] = {};             ///< bytes
  const double* kappas = nullptr;            ///< in the device's memory, axis after axis
  int first_kappa[mode_axes] = {};           ///< of an axis
  int components = 1;                        ///< fields that are read and written
  int component_axis[most_components] = {};  ///< of a component, or of the derivative
  DeviceAddress from[most_components] = {};
  DeviceAddress to[most_components] = {};
};

/// One mode of all fields. `Team` reads and writes memory.
template <class Real, class Team>
WEFT_KERNEL void run_mode(const Team& team, const ModeJob& job, Index mode) {
  double kappa[mode_axes] = {}, square = 0;
  Index offset = 0;
  auto rest = static_cast<std::uint64_t>(mode);
  WEFT_UNROLL
  for (int axis = mode_axes - 1; axis >= 0; --axis) {
    if (axis >= job.axes) continue;
    const std::uint64_t index = rest % job.extents[axis];
    rest /= job.extents[axis];
    offset += static_cast<Index>(index) * job.strides[axis];
    kappa[axis] = job.kappas[static_cast<std::uint64_t>(job.first_kappa[axis]) + index];
    square += kappa[axis] * kappa[axis];
  }
  Number<Real> u[most_components] = {};
  Real along[most_components] = {};
  WEFT_UNROLL
  for (int c = 0; c < most_components; ++c) {
    if (c >= job.components) continue;
    u[c] = team.template read<Number<Real>>(job.from[c] + static_cast<DeviceAddress>(offset));
    WEFT_UNROLL
    for (int axis = 0; axis < mode_axes; ++axis)
      if (axis == job.component_axis[c]) along[c] = static_cast<Real>(kappa[axis]);
  }
  if (is_factor(job.operation))
    u[0] = scaled(u[0], static_cast<Real>(mode_factor(job.operation, square, job.parameter)));
  else
    combine(job.operation, u, along, job.components);
  WEFT_UNROLL
  for (int c = 0; c < most_components; ++c)
    if (c < job.components) team.write(job.to[c] + static_cast<DeviceAddress>(offset), u[c]);
}

}  // namespace weft
