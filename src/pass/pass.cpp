// What is known of a pass before it is made, the choice of one on the host, and the cache budgets
// that this choice relies on.
#include "pass/pass.hpp"

#include <algorithm>

#include "pass/tile_pass.hpp"

namespace weft {

std::size_t traffic_of(const Computation& computation, const std::vector<Cell>& cells) {
  Index bytes = 0;
  for (const Cell& cell : cells) {
    if (cell.domain.empty()) continue;
    bytes += cell.domain.volume() * computation.input.bytes();
    bytes += computation.output_box(cell.domain).volume() * computation.output.bytes();
  }
  return static_cast<std::size_t>(bytes);
}

bool overwrites_itself(const Computation& computation, const std::vector<Cell>& cells,
                       const std::vector<View>& from, const std::vector<View>& to) {
  if (computation.input != computation.output || cells.size() != 1) return false;
  const std::vector<Piece>& sources = from.front().pieces;
  const std::vector<Piece>& targets = to.front().pieces;
  if (sources.size() != 1 || targets.size() != 1) return false;
  const Piece& source = sources.front();
  const Piece& target = targets.front();
  return source.box == target.box && source.offset == target.offset &&
         source.strides == target.strides;
}

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
