// The machine's cache sizes and cores, from which tile shapes and thread counts are derived.
// Simplified to bytes per core, which is all that tiling needs.
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

/// The caches of this machine, or of the pretended one (see Hardware); detected once.
const Caches& machine_caches();

/// The cores that this process may use.
int machine_cores();

/// The cores of this machine that the job's processes may use, regardless of their bindings.
int node_cores();

}  // namespace weft
