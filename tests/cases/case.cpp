// The description of a case, and the process grids and layouts that cases share.
#include <algorithm>
#include <array>

#include "cases/cases.hpp"

namespace weft::test {

std::string to_string(Memory memory) {
  return std::array{"user arrays",
                    "the plan's arrays",
                    "user array to the plan's",
                    "the plan's array to the user's",
                    "in place",
                    "in place in the plan's input array",
                    "in place in the plan's output array"}[static_cast<std::size_t>(memory)];
}

std::string to_string(const Case& one) {
  std::string text = one.name + ": " + to_string(one.transform);
  if (one.layouts) {
    for (const Layout* layout : {&one.layouts->first, &one.layouts->second}) {
      text += layout == &one.layouts->first ? "\n  from " : "\n  to   ";
      text += weft::to_string(*layout) + ":";
      for (const Box& box : layout->boxes()) text += " " + weft::to_string(box);
    }
  }
  return text + "\n  options " + weft::to_string(one.options);
}

std::vector<int> grid_of(int ranks, int dimensions, int turn) {
  std::vector<int> grid(dimensions, 1);
  // Prime factors, largest first, each to the smallest count so far: 8 -> 4x2, 6 -> 3x2.
  std::vector<int> factors;
  for (int factor = 2; ranks > 1; ++factor)
    for (; ranks % factor == 0; ranks /= factor) factors.insert(factors.begin(), factor);
  for (int factor : factors) *std::ranges::min_element(grid) *= factor;
  std::rotate(grid.begin(), grid.begin() + turn % dimensions, grid.end());
  return grid;
}

Layout all_on(const Shape& shape, int ranks, int owner) {
  std::vector<Box> boxes(ranks,
                         Box{Point::filled(shape.size(), 0), Point::filled(shape.size(), 0)});
  boxes[owner] = Box::whole(shape);
  return Layout::boxes(shape, boxes);
}

}  // namespace weft::test
