// Layouts as text for people.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/layout.hpp>

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
  if (layout.partition() != Partition::balanced) text += ", cut " + to_string(layout.partition());
  text += fmt::format(", order {}", fmt::join(layout.order(), " "));
  if (!layout.padding().empty())
    text += fmt::format(", padded {}", fmt::join(layout.padding(), " "));
  else if (layout.has_gaps())
    text += ", strided";
  return text;
}

}  // namespace weft
