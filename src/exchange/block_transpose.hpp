// Transposes a matrix of blocks in place.
#pragma once

#include <cstddef>
#include <span>
#include <weft/box.hpp>

namespace weft {

/// Replaces `array`, a row-major matrix of blocks of `bytes` bytes each, by its transpose. Uses
/// only `scratch` and one bit per block as additional memory.
void transpose_blocks(std::byte* array, Index rows, Index columns, Index bytes,
                      std::span<std::byte> scratch);

}  // namespace weft
