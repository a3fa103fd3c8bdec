// Chooses the pass for a computation, and sets the cache budgets that this choice relies on.
#include "pass/pass.hpp"

#include <algorithm>

#include "pass/tile_pass.hpp"

namespace weft {

std::size_t cached_budget(const Caches& caches) { return caches.level2 + caches.level3 / 2; }

std::size_t plane_budget(const Caches& caches) {
  // A plane is written once and read once, so even the third-level cache is faster than memory.
  return std::max(2 * caches.level2, caches.level3 / 4);
}

std::unique_ptr<Pass> make_pass(PassSpec spec, std::vector<Cell> cells, std::vector<View> from,
                                std::vector<View> to, const Caches& caches) {
  const bool has_planes = spec.computation.steps.size() == 2;
  const auto make = has_planes ? make_plane_pass : make_one_sweep_pass;
  return make({std::move(spec), std::move(cells), std::move(from), std::move(to)}, caches);
}

}  // namespace weft
