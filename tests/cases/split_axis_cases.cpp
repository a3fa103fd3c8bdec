// Cases with axes that plans split: cyclic layouts, and single axes that all ranks share.
#include <algorithm>

#include "cases/case_list.hpp"

namespace weft::test {
namespace {

PerAxis<int> counts_of(const std::vector<int>& grid) { return {grid.begin(), grid.end()}; }

/// Lengths that are multiples of the squares of these counts.
Shape lengths_of(const std::vector<int>& grid, const std::vector<Index>& factors) {
  Shape shape;
  for (std::size_t axis = 0; axis < grid.size(); ++axis)
    shape.push_back(static_cast<Index>(grid[axis]) * grid[axis] * factors[axis]);
  return shape;
}

/// Cyclic at both ends, with one to three axes dealt out.
void add_cyclic(CaseList& list) {
  const std::array<Order, 3> orders{Order{0, 1, 2}, Order{2, 0, 1}, Order{1, 2, 0}};
  std::size_t number = 0;
  for (const int dealt : {1, 2, 3})
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
      if (dealt == 3 && kind != Kind::c2c) continue;
      std::vector<int> grid = grid_of(list.ranks, dealt, static_cast<int>(number) % dealt);
      grid.resize(3, 1);
      Transform transform(lengths_of(grid, {3, 2, 6}), kind, {}, rotate(precisions, number));
      const auto layout = [&](bool is_physical) {
        return Layout::cyclic(is_physical ? transform.shape : transform.spectral_shape(),
                              counts_of(grid));
      };
      Case& one = list.add("cyclic_" + std::to_string(number), transform,
                           layout(kind != Kind::c2r).ordered(rotate(orders, number)),
                           layout(kind == Kind::c2r).ordered(rotate(orders, number / 2)));
      one.memories = every_memory;
      if (number % 2 == 1) chunk(one, 2, 3);
      if (number % 3 == 1) one.options.fields = 2;
      ++number;
    }
  for (const OutputLayout output : {OutputLayout::transposed, OutputLayout::natural})
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
      const std::vector<int> grid = grid_of(list.ranks, 2);
      Transform transform(lengths_of({grid[0], grid[1], 1}, {2, 3, 10}), kind, {},
                          rotate(precisions, number));
      Case& one = list.add("cyclic_chosen_" + std::to_string(number), transform);
      one.options.decomposition = Decomposition::cyclic;
      if (number % 2 == 0) one.options.grid = {grid[0], grid[1], 1};
      one.options.output = output;
      one.memories = rotate(memory_sets, number);
      ++number;
    }
}

/// Beside other kinds, batch axes, idle ranks and layouts that are not cyclic.
void add_cyclic_beside_others(CaseList& list) {
  const int ranks = list.ranks;
  const Index square = static_cast<Index>(ranks) * ranks;
  const auto dealt = [&](const Shape& shape) {
    auto counts = PerAxis<int>::filled(shape.size(), 1);
    counts[0] = ranks;
    return Layout::cyclic(shape, counts);
  };
  const Transform mixed({2 * square, 5, 6}, {Kind::c2c, Kind::dct2, Kind::r2c});
  list.add("cyclic_mixed", mixed, dealt(mixed.shape), dealt(mixed.spectral_shape()));
  const Transform batch({3 * ranks + 1, 12, 8}, {Kind::none, Kind::c2c, Kind::c2c});
  list.add("cyclic_batch", batch, dealt(batch.shape), dealt(batch.shape));
  const Transform complex({square, 9, 7}, Kind::c2c, {}, Precision::single_);
  const Layout slabs = Layout::slabs(complex.shape, ranks, 1);
  list.add("cyclic_to_slabs", complex, dealt(complex.shape), slabs).memories = every_memory;
  list.add("slabs_to_cyclic", complex, slabs, dealt(complex.shape)).memories = every_memory;
  const Transform real({square, 4, 10}, Kind::r2c);
  list.add("cyclic_padded", real, dealt(real.shape).padded({0, 0, 2}),
           dealt(real.spectral_shape()));
  Transform kept({square, 12, 10}, Kind::r2c);
  kept.modes = {Modes{}, Modes::up_to(3), Modes::up_to(4)};
  list.add("cyclic_beside_kept_modes", kept, dealt(kept.shape), dealt(kept.spectral_shape()));
  const int half = (ranks + 1) / 2;
  const Transform idle({static_cast<Index>(half) * half * 2, 6, 5}, Kind::c2c);
  const auto spread = [&](const Shape& shape) {
    return Layout::cyclic(shape, {half, 1, 1}).spread(ranks);
  };
  list.add("cyclic_idle_ranks", idle, spread(idle.shape), spread(idle.shape));
  const std::vector<int> grid = grid_of(ranks, 2);
  const Layout two = Layout::grid({square * 2, 6}, grid, {{1, 0}, {}}, Partition::cyclic);
  list.add("cyclic_two_dimensions_on_one_axis", Transform({square * 2, 6}, Kind::c2c), two, two);
}

/// Axes that are not transformed, cyclic at one end.
void add_moved(CaseList& list) {
  const int ranks = list.ranks;
  const Shape shape{static_cast<Index>(ranks) * ranks * 2, 3, static_cast<Index>(ranks) + 1};
  const Layout cyclic = Layout::cyclic(shape, {ranks, 1, 1});
  const auto add = [&](const char* name, const Transform& transform, const Layout& from,
                       const Layout& to) {
    list.add(name, transform, from, to).memories = every_memory;
  };
  const Transform moved(shape, Kind::none);
  add("cyclic_moved_to_blocks", moved, cyclic, Layout::slabs(shape, ranks));
  add("cyclic_moved_to_another_axis", moved, cyclic, Layout::slabs(shape, ranks, 2));
  add("cyclic_moved_from_blocks", moved, Layout::slabs(shape, ranks).ordered({1, 0, 2}), cyclic);
  const Transform beside(shape, {Kind::none, Kind::c2c, Kind::c2c});
  add("cyclic_batch_to_blocks", beside, cyclic, Layout::slabs(shape, ranks));
  const Index length = shape[0] * ranks;
  add("scrambled_moved_to_blocks", Transform({length}, Kind::none),
      Layout::scrambled(length, shape[0], ranks), Layout::slabs({length}, ranks));
}

/// A single axis, shared by all ranks.
void add_single_axes(CaseList& list) {
  std::size_t number = 0;
  for (const Index length : {Index{360}, Index{4096}, Index{1024 * 81}})
    for (const OutputLayout output :
         {OutputLayout::transposed, OutputLayout::natural, OutputLayout::scrambled}) {
      Case& one = list.add("line_" + std::to_string(length) + "_" + weft::to_string(output),
                           Transform({length}, Kind::c2c, {}, rotate(precisions, number)));
      one.options.output = output;
      one.memories = number % 2 ? every_memory : rotate(memory_sets, number);
      if (number % 3 == 1) chunk(one, 2, 3);
      if (number % 4 == 1) one.options.fields = 2;
      ++number;
    }
  const int ranks = list.ranks;
  const Index square = static_cast<Index>(ranks) * ranks, length = 6 * square * square;
  const Transform line({length}, Kind::c2c);
  const Layout blocks = Layout::slabs({length}, ranks);
  const Layout cyclic = Layout::cyclic({length}, {ranks});
  const Layout scrambled = Layout::scrambled(length, length / square, ranks);
  const auto add = [&](const char* name, const Layout& from, const Layout& to) {
    list.add(name, line, from, to).memories = rotate(memory_sets, number++);
  };
  add("line_blocks", blocks, blocks);
  add("line_cyclic", cyclic, cyclic);
  add("line_cyclic_to_blocks", cyclic, blocks);
  add("line_blocks_to_cyclic", blocks, cyclic);
  add("line_blocks_to_scrambled", blocks, scrambled);
  add("line_scrambled_to_blocks", scrambled, blocks);
  // Cuts of the caller's own, by which ranks may hold nothing.
  const auto cut = [&](const Layout& layout, Index block) {
    const Index end = layout.global()[0];
    std::vector<Index> cuts;
    for (Index part = 0; part <= ranks; ++part) cuts.push_back(std::min(end, part * block));
    return layout.cut_at({std::move(cuts)});
  };
  const Index part = length / ranks;
  add("line_blocks_to_scrambled_cut", blocks, cut(scrambled, part + 2 * square));
  add("line_scrambled_cut_to_blocks", cut(scrambled, part + square), blocks);
  const Layout few = Layout::slabs({2 * 101}, ranks);
  list.add("line_few_blocks", Transform({2 * 101}, Kind::c2c), cut(few, ranks == 1 ? 202 : 101),
           cut(few, (101 + ranks - 1) / ranks * 2));
  std::vector<Box> on_last(static_cast<std::size_t>(ranks), Box{{0}, {0}});
  on_last.back() = Box::whole({length});
  const Layout boxes = Layout::boxes({length}, on_last);  // no process grid
  add("line_blocks_to_boxes", blocks, boxes);
  add("line_boxes_to_blocks", boxes, blocks);
  add("line_padded", blocks.padded({3}), cyclic.padded({1}));
}

}  // namespace

void add_split_axes(CaseList& list) {
  add_cyclic(list);
  add_cyclic_beside_others(list);
  add_moved(list);
  add_single_axes(list);
}

}  // namespace weft::test
