// The cache sizes of the machine: what tile shapes are derived from.
#pragma once

#include <cstddef>

namespace weft {

/// Bytes per core; a shared level is divided among the cores that share it.
struct Caches {
  std::size_t level1 = std::size_t{32} << 10;
  std::size_t level2 = std::size_t{1} << 20;
  std::size_t level3 = 0;
};

/// Of the machine at hand, found once.
const Caches& machine_caches();

}  // namespace weft
