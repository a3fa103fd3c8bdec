// Calculates the constants that a kernel multiplies by, once per plan and in extended precision.
#pragma once

#include <cstddef>
#include <vector>
#include <weft/transform.hpp>

#include "device_kernel/tile_plan.hpp"

namespace weft {

/// The table of constants of a plan, as TilePlan describes it.
std::vector<std::byte> tile_constants(const TilePlan& plan, Precision precision);

}  // namespace weft
