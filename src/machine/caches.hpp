// The caches and cores of the machine: what the shapes of tiles and the number of threads are
// derived from.
#pragma once

#include <cstddef>

namespace weft {

/// Bytes per core; a shared level is divided among the cores that share it.
struct Caches {
  std::size_t level1 = std::size_t{32} << 10;
  std::size_t level2 = std::size_t{1} << 20;
  std::size_t level3 = 0;
};

class Hardware;
Caches caches_of(const Hardware& hardware);

/// Of the machine at hand, found once; see Hardware for pretended ones.
const Caches& machine_caches();

/// The cores that this process may use.
int machine_cores();

}  // namespace weft
