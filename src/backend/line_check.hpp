// Checks that a device's own FFT library computes correct results.
#pragma once

#include <cstddef>

#include "backend/backend.hpp"

namespace weft {

/// Transforms lines of random numbers, twice, and compares some results of the first and the last
/// line with the sums that define them. docs/decisions/0057 says why. The buffers, of whole
/// batches, lose their contents. Throws an Error if a result is wrong.
void check_lines(DeviceBackend& backend, const LineTransform& lines, const LineBatch& batch,
                 std::byte* input, std::byte* output);

}  // namespace weft
