// Blocks follow the cycles of the permutation, each moved once. Blocks larger than the scratch
// memory are moved in strips, with one round of all cycles per strip.
#include "exchange/block_transpose.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace weft {

void transpose_blocks(std::byte* array, Index rows, Index columns, Index bytes,
                      std::span<std::byte> scratch) {
  if (rows <= 1 || columns <= 1 || bytes == 0) return;
  const Index count = rows * columns;
  std::vector<bool> moved;
  for (Index begin = 0; begin < bytes; begin += std::ssize(scratch)) {
    const auto strip =
        static_cast<std::size_t>(std::min<Index>(std::ssize(scratch), bytes - begin));
    const auto block = [&](Index number) { return array + number * bytes + begin; };
    moved.assign(static_cast<std::size_t>(count), false);
    for (Index first = 0; first < count; ++first) {
      if (moved[first]) continue;
      std::memcpy(scratch.data(), block(first), strip);
      for (Index hole = first;;) {
        moved[hole] = true;
        const Index source = hole % rows * columns + hole / rows;
        if (source == first) {
          std::memcpy(block(hole), scratch.data(), strip);
          break;
        }
        std::memcpy(block(hole), block(source), strip);
        hole = source;
      }
    }
  }
}

}  // namespace weft
