// Reads cache sizes from hwloc, with sensible defaults where hwloc does not know them.
#include "machine/caches.hpp"

#include <hwloc.h>

#include <algorithm>
#include <thread>

#include "machine/hardware.hpp"

namespace weft {
namespace {

std::size_t share_of(hwloc_topology_t topology, hwloc_obj_type_t level, std::size_t otherwise) {
  const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, level, 0);
  if (cache == nullptr || cache->attr->cache.size == 0) return otherwise;
  const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
  return cache->attr->cache.size / std::max(1, cores);
}

}  // namespace

Caches caches_of(const Hardware& hardware) {
  Caches caches;
  const hwloc_topology_t topology = hardware.topology();
  if (topology == nullptr) return caches;
  caches.level1 = share_of(topology, HWLOC_OBJ_L1CACHE, caches.level1);
  caches.level2 = share_of(topology, HWLOC_OBJ_L2CACHE, caches.level2);
  caches.level3 = share_of(topology, HWLOC_OBJ_L3CACHE, caches.level3);
  return caches;
}

namespace {

/// Asks the C++ library, because hwloc's count ignores a launcher's binding of this process.
int find_cores() {
  if (!Hardware::is_pretended()) return static_cast<int>(std::thread::hardware_concurrency());
  return hwloc_get_nbobjs_by_type(Hardware().topology(), HWLOC_OBJ_CORE);
}

}  // namespace

const Caches& machine_caches() {
  static const Caches caches = caches_of(Hardware());
  return caches;
}

int node_cores() {
  const Hardware hardware;
  const hwloc_topology_t topology = hardware.topology();
  if (topology == nullptr) return machine_cores();
  return std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU));
}

int machine_cores() {
  static const int cores = std::max(1, find_cores());
  return cores;
}

}  // namespace weft
