// Cache sizes from hwloc; sensible defaults where it cannot tell.
#include "machine/caches.hpp"

#include <hwloc.h>

#include <algorithm>

namespace weft {
namespace {

std::size_t share_of(hwloc_topology_t topology, hwloc_obj_type_t level, std::size_t otherwise) {
  const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, level, 0);
  if (cache == nullptr || cache->attr->cache.size == 0) return otherwise;
  const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
  return cache->attr->cache.size / std::max(1, cores);
}

Caches find_caches() {
  Caches caches;
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return caches;
  if (hwloc_topology_load(topology) == 0) {
    caches.level1 = share_of(topology, HWLOC_OBJ_L1CACHE, caches.level1);
    caches.level2 = share_of(topology, HWLOC_OBJ_L2CACHE, caches.level2);
    caches.level3 = share_of(topology, HWLOC_OBJ_L3CACHE, caches.level3);
  }
  hwloc_topology_destroy(topology);
  return caches;
}

}  // namespace

const Caches& machine_caches() {
  static const Caches caches = find_caches();
  return caches;
}

}  // namespace weft
