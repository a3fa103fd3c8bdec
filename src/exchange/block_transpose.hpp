// Transposing a matrix of blocks where it lies.
#pragma once

#include <cstddef>
#include <span>
#include <weft/box.hpp>

namespace weft {

/// `array` is a matrix of blocks of so many bytes, row after row; it becomes its transpose. No more
/// than `scratch` is used besides, and a bit for each block.
void transpose_blocks(std::byte* array, Index rows, Index columns, Index bytes,
                      std::span<std::byte> scratch);

}  // namespace weft
