// The ready-made spectral operators on one mode, for lines on the host and for kernels of devices.
#pragma once

#include "device_kernel/numbers.hpp"

#ifndef WEFT_WITHOUT_HEADERS
#include <cmath>
#endif

namespace weft {

/// The most components of a vector field, one for each axis. Unrolled loops of this length keep
/// components in registers.
inline constexpr int most_components = 8;

/// The first ones multiply a mode by a factor of |kappa|^2, `derivative` by i kappa of one axis;
/// the others combine the components of a vector field.
enum class ModeOperation {
  laplacian,
  inverse_laplacian,
  gaussian,
  sharp,
  derivative,
  divergence,
  curl,
  projection
};

WEFT_KERNEL constexpr bool is_factor(ModeOperation operation) {
  return operation < ModeOperation::derivative;
}

inline constexpr double infinity = __builtin_bit_cast(double, std::uint64_t{0x7ff} << 52);

/// The factor of a mode. `parameter`: the width of `gaussian`, the cutoff of `sharp`.
WEFT_KERNEL double mode_factor(ModeOperation operation, double square, double parameter) {
  switch (operation) {
    case ModeOperation::laplacian:
      return -square;
    case ModeOperation::inverse_laplacian:
      return -1 / (square > 0 ? square : infinity);  // divides in either case, to be vectorised
    case ModeOperation::gaussian:
      return ::exp(-0.5 * square * parameter * parameter);
    default:
      return square <= parameter * parameter ? 1.0 : 0.0;
  }
}

/// Changes the components of one mode. `kappa`: of the components' axes. A derivative has
/// one component.
template <class Real>
WEFT_KERNEL void combine(ModeOperation operation, Number<Real>* u, const Real* kappa,
                         int components) {
  switch (operation) {
    case ModeOperation::divergence: {
      Number<Real> sum{0, 0};
      WEFT_UNROLL
      for (int a = 0; a < most_components; ++a)
        if (a < components) sum = sum + scaled(u[a], kappa[a]);
      u[0] = times_i(sum);
      return;
    }
    case ModeOperation::curl: {
      const auto turned = [&](int a, int b) {
        return times_i(scaled(u[b], kappa[a]) - scaled(u[a], kappa[b]));
      };
      const Number<Real> z = turned(0, 1);
      if (components == 2) {
        u[0] = z;
        return;
      }
      const Number<Real> x = turned(1, 2), y = turned(2, 0);
      u[0] = x;
      u[1] = y;
      u[2] = z;
      return;
    }
    case ModeOperation::projection: {
      Number<Real> along{0, 0};
      Real square = 0;
      WEFT_UNROLL
      for (int a = 0; a < most_components; ++a)
        if (a < components) {
          along = along + scaled(u[a], kappa[a]);
          square += kappa[a] * kappa[a];
        }
      if (square == 0) return;
      WEFT_UNROLL
      for (int a = 0; a < most_components; ++a)
        if (a < components) u[a] = u[a] - scaled(along, kappa[a] / square);
      return;
    }
    default:
      u[0] = times_i(scaled(u[0], kappa[0]));
  }
}

}  // namespace weft
