// Properties of a pass that its parts tell, the choice of a pass on the host, and the cache budgets
// for that choice.
#include "pass/pass.hpp"

#include <algorithm>

#include "pass/tile_pass.hpp"

namespace weft {

void PassParts::make_index() {
  for (std::vector<View>* views : {&from, &to})
    for (View& view : *views) view.make_index();
}

void PassParts::bind_source(const void* data) {
  for (View& view : from) view.bind(const_cast<std::byte*>(static_cast<const std::byte*>(data)));
}

void PassParts::bind_target(void* data) {
  for (View& view : to) view.bind(static_cast<std::byte*>(data));
}

/// The only cell reads an array's elements and writes the same ones.
bool PassParts::may_run_in_place() const {
  if (spec.computation.input != spec.computation.output || cells.size() != 1) return false;
  const std::vector<Piece>& sources = from.front().pieces;
  const std::vector<Piece>& targets = to.front().pieces;
  if (sources.size() != 1 || targets.size() != 1) return false;
  const Piece& source = sources.front();
  const Piece& target = targets.front();
  return source.box == target.box && source.offset == target.offset &&
         source.strides == target.strides;
}

std::size_t PassParts::traffic_bytes() const {
  const Computation& computation = spec.computation;
  Index bytes = 0;
  for (const Cell& cell : cells) {
    if (cell.domain.empty()) continue;
    bytes += cell.domain.volume() * computation.input.bytes();
    bytes += computation.output_box(cell.domain).volume() * computation.output.bytes();
  }
  return static_cast<std::size_t>(bytes);
}

std::size_t cached_budget(const Caches& caches) { return caches.level2 + caches.level3 / 2; }

std::size_t plane_budget(const Caches& caches) {
  // A plane is written once and read once, so even the third-level cache is faster than memory.
  return std::max(2 * caches.level2, caches.level3 / 4);
}

std::unique_ptr<Pass> make_pass(PassParts parts, const Caches& caches) {
  const bool has_planes = parts.spec.computation.steps.size() == 2;
  return has_planes ? make_plane_pass(std::move(parts), caches)
                    : make_one_sweep_pass(std::move(parts), caches);
}

}  // namespace weft
