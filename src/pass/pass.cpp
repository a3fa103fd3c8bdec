// Properties of a pass that its parts tell, the choice of a pass on the host, and the cache budgets
// for that choice.
#include "pass/pass.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "pass/tile_pass.hpp"
#include "pass/tiling.hpp"
#include "view/merged_axes.hpp"

namespace weft {

std::vector<Box> domains_of(const std::vector<Cell>& cells) {
  std::vector<Box> domains;
  for (const Cell& cell : cells) domains.push_back(cell.domain);
  return domains;
}

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

namespace {

/// Calls visit(box) for the boxes of all cells and pieces.
template <class Parts, class Visit>
void for_each_box(Parts& parts, Visit&& visit) {
  for (auto& cell : parts.cells) visit(cell.domain);
  for (auto* const views : {&parts.from, &parts.to})
    for (auto& view : *views)
      for (auto& piece : view.pieces) visit(piece.box);
  for (auto& piece : parts.spec.blank) visit(piece.box);
}

/// Whether `count` elements along an axis are neighbours in memory, and in the same box,
/// everywhere.
bool are_together(const PassParts& parts, int axis, Index count) {
  const Index bytes = parts.spec.computation.input.bytes();
  const auto is_dense = [&](const Piece& piece) { return piece.strides[axis] == bytes; };
  const auto are_dense = [&](const View& view) {
    return std::ranges::all_of(view.pieces, is_dense);
  };
  bool whole = std::ranges::all_of(parts.from, are_dense) &&
               std::ranges::all_of(parts.to, are_dense) &&
               std::ranges::all_of(parts.spec.blank, is_dense);
  const Index lower = parts.cells.front().domain.lower[axis];
  for_each_box(parts, [&](const Box& box) {
    whole &= box.empty() || (box.lower[axis] == lower && box.extent(axis) == count);
  });
  return whole;
}

/// The type of `count` neighbours as one element; empty if there is none. Numbers stay numbers,
/// which a call may scale, so only two real ones become one complex one.
std::optional<Element> together(Element element, Index count) {
  if (element.plain_bytes == 0) {
    if (count != 2 || !element.real) return {};
    element.real = false;
    return element;
  }
  const Index bytes = count * element.plain_bytes;
  if (bytes > 16 || !std::has_single_bit(static_cast<std::uint64_t>(bytes))) return {};
  element.plain_bytes = static_cast<int>(bytes);
  return element;
}

/// A copy moves short lines of elements, for example the parts of complex numbers, as one element:
/// a transpose of single elements would move fewer bytes at a time. Sums know the elements as they
/// were. False if there is no such line.
bool join_elements(PassParts& parts) {
  Computation& computation = parts.spec.computation;
  if (!computation.steps.empty() || computation.is_fused() || parts.spec.sums != nullptr ||
      computation.input != computation.output || parts.spec.source.wire != Wire::exact ||
      parts.spec.target.wire != Wire::exact)
    return false;
  const Shape largest = largest_extents(domains_of(parts.cells));
  for (int axis = 0; axis < largest.size(); ++axis) {
    if (largest[axis] < 2) continue;
    const std::optional<Element> joined = together(computation.input, largest[axis]);
    if (!joined || !are_together(parts, axis, largest[axis])) continue;
    computation.input = computation.output = *joined;
    for_each_box(
        parts, [&](Box& box) { box.upper[axis] = std::min(box.upper[axis], box.lower[axis] + 1); });
    return true;
  }
  return false;
}

/// Whether the pass's numbers depend on no coordinate beside those along its lines.
bool may_merge_axes(const PassSpec& spec) {
  return spec.sums == nullptr && !spec.computation.is_fused() &&
         std::ranges::none_of(spec.computation.steps, [](const Step& step) {
           return static_cast<bool>(step.ellipse.squares);
         });
}

/// Two axes beside the lines that are one stretch of memory on both sides.
std::optional<MergedAxes> find_mergeable(const PassParts& parts) {
  const std::vector<Box> domains = domains_of(parts.cells);
  const Shape largest = largest_extents(domains);
  const auto is_free = [&](int axis) {
    return largest[axis] > 1 &&
           std::ranges::none_of(parts.spec.computation.steps, [&](const Step& step) {
             return step.axis == axis || step.twiddle.axis == axis;
           });
  };
  for (int outer = 0; outer < largest.size(); ++outer)
    for (int inner = 0; inner < largest.size(); ++inner)
      if (outer != inner && is_free(outer) && is_free(inner))
        if (const auto merged = MergedAxes::find(outer, inner, domains, parts.from, parts.to))
          return merged;
  return {};
}

/// Lines side by side fill vectors best in a row that is as long as possible.
void merge_axes(PassParts& parts) {
  while (const auto merged = find_mergeable(parts)) {
    for (Cell& cell : parts.cells) cell.domain = merged->of(cell.domain);
    for (std::vector<View>* views : {&parts.from, &parts.to})
      for (View& view : *views) view = merged->of(std::move(view));
  }
}

}  // namespace

std::unique_ptr<Pass> make_pass(PassParts parts, const Caches& caches) {
  while (join_elements(parts)) {
  }
  if (may_merge_axes(parts.spec)) merge_axes(parts);
  const bool has_planes = parts.spec.computation.steps.size() == 2;
  return has_planes ? make_plane_pass(std::move(parts), caches)
                    : make_one_sweep_pass(std::move(parts), caches);
}

}  // namespace weft
