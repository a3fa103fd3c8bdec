// The largest relative change of a number by one rounding. Tolerances are derived from it.
#pragma once

#include <limits>
#include <weft/transform.hpp>
#include <weft/wire.hpp>

namespace weft {

constexpr double epsilon_of(Precision precision) {
  return precision == Precision::double_ ? std::numeric_limits<double>::epsilon()
                                         : std::numeric_limits<float>::epsilon();
}

/// 0 if nothing is rounded.
constexpr double epsilon_of(Wire wire) {
  switch (wire) {
    case Wire::single_:
      return 0x1p-24;
    case Wire::bfloat16:
      return 0x1p-8;
    case Wire::fixed12:
      return 0x1p-11;
    default:
      return 0;
  }
}

}  // namespace weft
