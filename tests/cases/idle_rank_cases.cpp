// Cases in which some ranks hold nothing: process grids have fewer positions, or boxes are empty.
#include <algorithm>

#include "cases/case_list.hpp"

namespace weft::test {

void add_empty_ranks(CaseList& list) {
  const Transform real({5, 6, 8}, Kind::r2c);
  const Transform complex({5, 6, 8}, Kind::c2c, {}, Precision::single_);
  const int ranks = list.ranks;
  list.add("empty_all_on_first_and_last", complex, all_on(complex.shape, ranks, 0),
           all_on(complex.shape, ranks, ranks - 1))
      .memories = every_memory;
  list.add("empty_all_stays_on_last", real, all_on(real.shape, ranks, ranks - 1),
           all_on(real.spectral_shape(), ranks, ranks - 1))
      .memories = every_memory;
  list.add("empty_slabs_of_one_plane", Transform({1, 9, 8}, Kind::r2c),
           Layout::slabs({1, 9, 8}, ranks), Layout::slabs({1, 9, 5}, ranks));
  list.add("empty_irregular", complex, irregular_boxes(complex.shape, ranks, 5),
           irregular_boxes(complex.shape, ranks, 6))
      .memories = every_memory;
  std::vector<Box> boxes = Layout::slabs(complex.shape, ranks).boxes();
  std::ranges::reverse(boxes);
  list.add("boxes_backwards", complex, Layout::boxes(complex.shape, boxes),
           Layout::slabs(complex.shape, ranks, 1))
      .memories = every_memory;
}

void add_idle_ranks(CaseList& list) {
  const int ranks = list.ranks, most = std::max(1, ranks - 1), half = (ranks + 1) / 2;
  const Transform complex({6, 7, 8}, Kind::c2c), real({8, 6, 10}, Kind::r2c);
  const auto pencils = [&](const Shape& shape, int positions, int local, int stride) {
    const std::vector<int> grid = grid_of(positions, 2);
    return Layout::pencils(shape, {grid[0], grid[1]}, local).spread(ranks, stride);
  };
  const auto slabs = [&](const Shape& shape, int positions, int axis, int stride) {
    return Layout::slabs(shape, positions, axis).spread(ranks, stride);
  };
  list.add("idle_last_slabs", complex, slabs(complex.shape, most, 0, 1),
           slabs(complex.shape, most, 1, 1))
      .memories = every_memory;
  Case& between = list.add("idle_between_pencils", real, pencils(real.shape, half, 2, 0),
                           pencils(real.spectral_shape(), half, 0, 0));
  between.memories = every_memory;
  chunk(between, 2, 3);
  list.add("idle_on_one_side", real, slabs(real.shape, half, 0, 0),
           Layout::slabs(real.spectral_shape(), ranks, 1));
  list.add("idle_ranks_differ", complex, slabs(complex.shape, half, 0, 1),
           pencils(complex.shape, half, 0, 0));
  list.add("idle_line", Transform({40}, Kind::r2c), slabs({40}, half, 0, 0),
           slabs({21}, half, 0, 0));
  std::size_t number = 0;
  for (Decomposition decomposition :
       {Decomposition::slab, Decomposition::pencil, Decomposition::brick})
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2})
      for (int active : {1, half, most}) {
        Transform transform({6, 9, 10}, kind, {}, rotate(precisions, number));
        if (number % 4 == 3) transform.modes.assign(3, Modes::up_to(3));
        Case& one = list.add("idle_" + std::to_string(number), transform);
        one.options.decomposition = decomposition;
        one.options.active_ranks = active;
        if (number % 3 == 1) one.options.output = OutputLayout::natural;
        if (number % 5 == 2) one.options.fields = 2;
        if (number % 2 == 1) chunk(one, 2, 3);
        one.memories = rotate(memory_sets, number);
        ++number;
      }
}

}  // namespace weft::test
