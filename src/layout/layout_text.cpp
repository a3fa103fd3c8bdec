// Layouts as text, for people and to compare them.
#include "layout/layout_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "layout/partition.hpp"

namespace weft {

std::string ranks_text(const Layout& layout) {
  const int positions = layout.positions(), ranks = layout.ranks();
  if (positions == ranks) return fmt::format("all {} ranks", ranks);
  if (layout.stride_of_ranks() > 1)
    return fmt::format("{} of {} ranks, {} apart", positions, ranks, layout.stride_of_ranks());
  return positions == 1 ? fmt::format("the first of {} ranks", ranks)
                        : fmt::format("the first {} of {} ranks", positions, ranks);
}

std::string to_string(const Layout& layout) {
  std::string text;
  if (layout.has_grid()) {
    for (int axis = 0; axis < layout.global().size(); ++axis) {
      int parts = 1;
      for (int dimension : layout.split()[axis]) parts *= layout.process_grid()[dimension];
      text += fmt::format("{}{}", axis ? "x" : "grid ", parts);
    }
  } else {
    text = fmt::format("{} boxes", layout.ranks());
  }
  if (layout.positions() < layout.ranks()) text += " on " + ranks_text(layout);
  if (layout.partition() != Partition::balanced)
    text += ", cut " + to_string(layout.partition());
  else if (layout.has_grid() && layout.is_scrambled(0))
    text += fmt::format(", scrambled by {}", layout.classes(0));
  text += fmt::format(", order {}", fmt::join(layout.order(), " "));
  if (!layout.padding().empty())
    text += fmt::format(", padded {}", fmt::join(layout.padding(), " "));
  else if (layout.has_gaps())
    text += ", strided";
  return text;
}

namespace {

/// Where axes are cut; empty where the partition says it.
std::string own_cuts_text(const Layout& layout) {
  const Layout by_name = layout.contiguous().partitioned(layout.partition());
  bool are_own = false;
  std::size_t hash = 0;
  for (int axis = 0; axis < layout.global().size(); ++axis) {
    are_own |= layout.cuts(axis) != by_name.cuts(axis);
    for (Index cut : layout.cuts(axis)) hash = hash * 1000003 + static_cast<std::size_t>(cut);
  }
  return are_own ? fmt::format(", own cuts {:x}", hash) : "";
}

}  // namespace

std::string layout_text(const Layout& layout) {
  if (layout.ranks() == 0) return "chosen by the plan";
  const std::string text =
      fmt::format("shape {}, {}", to_string(layout.global()), to_string(layout));
  if (layout.has_grid()) {
    std::string split;
    for (const std::vector<int>& dimensions : layout.split())
      split += fmt::format("/{}", fmt::join(dimensions, ","));
    return fmt::format("{} over {}{}{}", text, fmt::join(layout.process_grid(), "x"), split,
                       own_cuts_text(layout));
  }
  std::size_t hash = 0;
  for (const Box& box : layout.boxes())
    for (const Point* corner : {&box.lower, &box.upper})
      for (Index index : *corner) hash = hash * 1000003 + static_cast<std::size_t>(index);
  return fmt::format("{}, boxes {:x}", text, hash);
}

}  // namespace weft
