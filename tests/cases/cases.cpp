// The fixed list: a few small shapes through every kind, layout, order, scale and way of running.
// Combinations rotate instead of multiplying, so that the list stays short; the random cases fill
// the gaps.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "cases/case_list.hpp"
#include "truth/truth.hpp"
#include "truth/walls.hpp"

namespace weft::test {
namespace {

using Kinds = std::vector<Kind>;

const Scale ortho{Scale::Rule::ortho};
const Scale forward_scaled{Scale::Rule::forward};
const Scale by_number{Scale::Rule::number, -0.37};
const std::array scales{Scale{}, ortho, forward_scaled, by_number};
const std::array<Order, 6> orders{Order{0, 1, 2}, Order{2, 1, 0}, Order{1, 0, 2},
                                  Order{0, 2, 1}, Order{1, 2, 0}, Order{2, 0, 1}};

std::string text_of(const Kinds& kinds) {
  std::string text;
  for (Kind kind : kinds) text += "_" + weft::to_string(kind);
  return text.substr(1);
}

/// Whole arrays of every dimension, laid out by the planner: primes, ones, fewer planes than ranks.
void add_shapes(CaseList& list) {
  const std::vector<Shape> shapes{
      {1},        {31},        {360},        {16, 12},     {13, 7},         {1, 24},
      {24, 1},    {3, 64},     {16, 16, 8},  {7, 11, 13},  {1, 1, 30},      {3, 20, 18},
      {2, 5, 40}, {12, 1, 10}, {4, 6, 5, 8}, {1, 7, 1, 9}, {3, 2, 6, 5, 4}, {2, 3, 4, 3, 2, 5}};
  const std::array<Kind, 6> rotating{Kind::dct2, Kind::dst1, Kind::dct4,
                                     Kind::dst3, Kind::dct3, Kind::dst2};
  std::size_t number = 0;
  for (const Shape& shape : shapes)
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r, rotate(rotating, number / 4)}) {
      Transform transform(shape, kind, {}, rotate(precisions, number));
      transform.scale = rotate(scales, number / 2);
      Case& one =
          list.add("shape_" + weft::to_string(shape) + "_" + weft::to_string(kind), transform);
      one.options.output = number % 3 == 0 ? OutputLayout::natural : OutputLayout::transposed;
      one.memories = rotate(memory_sets, number / 3 + number);
      if (number % 4 == 1) chunk(one, 2, 3);
      ++number;
    }
}

/// Each decomposition by name, in both output layouts, with the grid chosen or given.
void add_decompositions(CaseList& list) {
  const Shape shape{9, 14, 10};
  std::size_t number = 0;
  for (Decomposition decomposition :
       {Decomposition::slab, Decomposition::pencil, Decomposition::brick})
    for (OutputLayout output : {OutputLayout::transposed, OutputLayout::natural})
      for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
        const std::string name = std::array{"slab", "pencil", "brick"}[number / 6];
        Case& one = list.add(name + std::to_string(number),
                             Transform(shape, kind, {}, rotate(precisions, number)));
        one.options.decomposition = decomposition;
        one.options.output = output;
        one.memories = rotate(memory_sets, number);
        if (decomposition == Decomposition::pencil)
          one.options.grid = grid_of(list.ranks, 2, number % 2);
        if (decomposition == Decomposition::brick && number % 2)
          one.options.grid = grid_of(list.ranks, 3, number % 3);
        if (number % 3 == 1) chunk(one, 2, 3);
        ++number;
      }
}

/// Every DCT and DST on every axis, plain and orthogonal, on real and on complex data.
void add_trigonometric_kinds(CaseList& list) {
  std::size_t number = 0;
  for (const Kind kind : trigonometric_kinds) {
    const std::string name = weft::to_string(kind);
    Transform real({9, 8, 7}, kind, {}, rotate(precisions, number));
    real.scale = ortho;
    list.add(name + "_orthogonal", real).memories = {Memory::user, Memory::in_place};
    Transform short_axes({2, 5, 6}, Kinds{kind, kind, Kind::r2c}, rotate(precisions, number + 1));
    short_axes.scale = rotate(scales, number);
    chunk(list.add(name + "_beside_r2c", short_axes), 2, 3);
    Transform complex({6, 5, 8}, Kinds{kind, Kind::c2c, kind}, rotate(precisions, number));
    complex.scale = rotate(scales, number + 1);
    list.add(name + "_of_complex", complex);
    ++number;
  }
}

/// Kinds mixed over the axes, the halved axis in any place, and batch axes.
void add_mixes(CaseList& list) {
  const std::vector<Kinds> mixes{
      {Kind::c2c, Kind::c2c, Kind::none},   {Kind::none, Kind::c2c, Kind::c2c},
      {Kind::c2c, Kind::none, Kind::c2c},   {Kind::none, Kind::none, Kind::c2c},
      {Kind::c2c, Kind::none, Kind::none},  {Kind::none, Kind::c2c, Kind::none},
      {Kind::r2c, Kind::none, Kind::none},  {Kind::r2c, Kind::c2c, Kind::c2c},
      {Kind::c2c, Kind::r2c, Kind::c2c},    {Kind::none, Kind::r2c, Kind::c2c},
      {Kind::c2r, Kind::c2c, Kind::none},   {Kind::c2c, Kind::c2r, Kind::c2c},
      {Kind::dct2, Kind::c2c, Kind::r2c},   {Kind::dst1, Kind::r2c, Kind::none},
      {Kind::c2c, Kind::dct3, Kind::c2c},   {Kind::dct1, Kind::dst2, Kind::dct4},
      {Kind::dct2, Kind::none, Kind::c2r},  {Kind::c2r, Kind::dst4, Kind::dct1},
      {Kind::none, Kind::dct2, Kind::none}, {Kind::dst3, Kind::none, Kind::c2c}};
  std::size_t number = 0;
  for (const Kinds& kinds : mixes) {
    Transform transform({8, 9, 10}, kinds, rotate(precisions, number));
    transform.scale = rotate(scales, number);
    Case& one = list.add("mix_" + text_of(kinds), transform);
    one.options.output = number % 2 ? OutputLayout::natural : OutputLayout::transposed;
    one.memories = rotate(memory_sets, number);
    if (number % 3 == 2) chunk(one, 2, 3);
    ++number;
  }
  // A batch axis that is long enough to fill the lanes of vectors, and contiguous on both sides.
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2})
    list.add("interleaved_" + text_of(Kinds{kind}),
             Transform({8, 9, 10, 20}, {Kind::c2c, Kind::c2c, kind, Kind::none},
                       rotate(precisions, number++)));
  // Long lines with few neighbours, which their pass transforms too, go through contiguous lines.
  const Shape few_in_double{9, 64, 3}, few_in_single{9, 64, 6};
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2}) {
    const Kind other = kind == Kind::r2c ? Kind::c2c : kind;
    const Kinds kinds{other, other, kind};
    list.add("few_" + text_of(kinds), Transform(few_in_double, kinds, Precision::double_));
    list.add("few_float_" + text_of(kinds), Transform(few_in_single, kinds, Precision::single_));
  }
  list.add("axes_last_named_is_halved", Transform({6, 7, 10}, Kind::r2c, {-1, 1, 0}));
  list.add("axes_two_of_five", Transform({3, 6, 2, 5, 4}, Kind::c2r, {1, 3}));
}

/// The layouts that a side may have, by number.
constexpr int layout_count = 8;

Layout layout_of(int number, const Shape& shape, int ranks) {
  const std::vector<int> grid = grid_of(ranks, 2), turned = grid_of(ranks, 2, 1);
  const std::vector<int> cube = grid_of(ranks, 3);
  switch (number) {
    case 0:
      return Layout::slabs(shape, ranks);
    case 1:
      return Layout::slabs(shape, ranks, -1);
    case 2:
      return Layout::pencils(shape, {grid[0], grid[1]});
    case 3:
      return Layout::pencils(shape, {turned[0], turned[1]}, 0);
    case 4:
      return Layout::bricks(shape, {cube[0], cube[1], cube[2]});
    case 5:
      return Layout::grid(shape, grid, {{}, {1, 0}, {}});
    case 6:
      return all_on(shape, ranks, ranks - 1);
    default:
      return irregular_boxes(shape, ranks, 11 + static_cast<std::uint64_t>(shape[2]));
  }
}

std::string layout_name(int number) {
  return std::array{"slabs",  "lastslabs",   "pencils", "turnedpencils",
                    "bricks", "doublesplit", "onerank", "irregular"}[number];
}

/// Every input layout with every output layout; kinds, orders, chunks and the rest rotate.
void add_layout_pairs(CaseList& list) {
  const std::vector<Kinds> kinds{
      {Kind::c2c, Kind::c2c, Kind::c2c},   {Kind::c2c, Kind::c2c, Kind::r2c},
      {Kind::c2c, Kind::c2c, Kind::c2r},   {Kind::dct2, Kind::dst3, Kind::dct1},
      {Kind::dct4, Kind::r2c, Kind::c2c},  {Kind::none, Kind::c2c, Kind::c2r},
      {Kind::r2c, Kind::none, Kind::none}, {Kind::none, Kind::none, Kind::none}};
  std::size_t number = 0;
  for (int in = 0; in < layout_count; ++in)
    for (int out = 0; out < layout_count; ++out, ++number) {
      Transform transform({10, 12, 7}, rotate(kinds, number), rotate(precisions, number / 2));
      transform.scale = rotate(scales, number / 3);
      const Layout from =
          layout_of(in, input_shape(transform), list.ranks).ordered(rotate(orders, number / 4));
      const Layout to =
          layout_of(out, output_shape(transform), list.ranks).ordered(rotate(orders, number));
      Case& one = list.add(layout_name(in) + "_to_" + layout_name(out), transform, from, to);
      one.memories = rotate(memory_sets, number + number / 8);
      if ((in + out) % 2) chunk(one, 2, 3);
      if (number % 5 == 3) one.options.fields = 2;
    }
}

/// All pairs of memory orders on the cheapest pair of layouts.
void add_orders(CaseList& list) {
  std::size_t number = 0;
  for (const Order& from : orders)
    for (const Order& to : orders) {
      const Kind kind = std::array{Kind::c2c, Kind::r2c, Kind::c2r}[number % 3];
      const Transform transform({8, 6, 10}, kind, {}, rotate(precisions, number / 6));
      Case& one = list.add("orders_" + std::to_string(number), transform,
                           Layout::slabs(input_shape(transform), list.ranks).ordered(from),
                           Layout::slabs(output_shape(transform), list.ranks, 1).ordered(to));
      one.memories = rotate(memory_sets, number / 3);
      if (number % 2) chunk(one, 2, 3);
      ++number;
    }
}

/// Redistribution of pairs, for example complex numbers: whole and innermost on both sides, on one
/// side only, or cut.
void add_pairs(CaseList& list) {
  std::size_t number = 0;
  for (const Order& to : {Order{0, 1, 2}, Order{1, 0, 2}, Order{2, 1, 0}})
    for (const int cut : {0, 1, 2}) {
      Transform transform({9, 17, 2}, Kinds(3, Kind::none), rotate(precisions, number));
      transform.scale = rotate(scales, number);
      Case& one = list.add("pairs_" + std::to_string(number), transform,
                           Layout::slabs(transform.shape, list.ranks),
                           Layout::slabs(transform.shape, list.ranks, cut).ordered(to));
      one.memories = rotate(memory_sets, number);
      if (number % 2) chunk(one, 2, 3);
      if (number % 4 == 2) one.options.fields = 2;
      ++number;
    }
}

/// Axes cut by the rules of other libraries, on one side or on both, and where the planner chooses.
void add_partitions(CaseList& list) {
  const Transform complex({7, 9, 10}, Kind::c2c), real({10, 5, 12}, Kind::r2c);
  const std::vector<int> grid = grid_of(list.ranks, 2, 0);
  for (const Partition partition :
       {Partition::blocks, Partition::longer_first, Partition::longer_last}) {
    const std::string name = "cut_" + weft::to_string(partition);
    const auto pencils = [&](const Shape& shape, int local) {
      return Layout::pencils(shape, {grid.begin(), grid.end()}, local);
    };
    list.add(name + "_pencils", complex, pencils(complex.shape, 2).partitioned(partition),
             pencils(complex.shape, 0).partitioned(partition))
        .memories = every_memory;
    Case& mixed =
        list.add(name + "_to_balanced", real, pencils(real.shape, 2).partitioned(partition),
                 pencils(real.spectral_shape(), 2));
    chunk(mixed, 2, 3);
    list.add(name + "_chosen", real).options.partition = partition;
  }
}

/// Every part but the last has one index of an axis, or none.
Layout cut_unevenly(const Layout& layout) {
  PerAxis<std::vector<Index>> cuts;
  for (int axis = 0; axis < layout.global().size(); ++axis) {
    cuts.push_back(layout.cuts(axis));
    for (std::size_t part = 1; part + 1 < cuts[axis].size(); ++part)
      cuts[axis][part] = std::min(layout.global()[axis], static_cast<Index>(part));
  }
  return layout.cut_at(std::move(cuts));
}

/// Axes cut where the caller says.
void add_own_cuts(CaseList& list) {
  const std::vector<int> grid = grid_of(list.ranks, 2, 0);
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
    const Transform transform({7, 6, 10}, kind);
    const auto pencils = [&](bool is_real, int local) {
      return cut_unevenly(Layout::pencils(is_real ? transform.shape : transform.spectral_shape(),
                                          {grid.begin(), grid.end()}, local));
    };
    for (const int local : {0, 2})  // an axis that the output has whole
      list.add("cut_by_caller_" + weft::to_string(kind) + std::to_string(local), transform,
               pencils(kind != Kind::c2r, 2), pencils(kind == Kind::c2r, local))
          .memories = every_memory;
  }
}

/// Everything that Options offers beside layouts.
void add_options(CaseList& list) {
  const Shape shape{12, 10, 16};
  for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
    const std::string name = weft::to_string(kind);
    const Transform transform(shape, kind);
    Case& fields = list.add("fields_" + name, transform);
    fields.options.fields = 3;
    chunk(fields, 2, 3);
    fields.memories = every_memory;
    Case& chunks = list.add("chunks_" + name, transform);
    chunk(chunks, 5, 4);
    chunks.memories = every_memory;
    chunk(list.add("chunks_more_than_planes_" + name, transform), 40, 50);
    list.add("memory_" + name, transform).memories = every_memory;
    Case& threads = list.add("threads_" + name, transform);
    threads.options.threads = 2;
    chunk(threads, 2, 3);
    Case& limited = list.add("count_limit_" + name, transform);
    limited.options.count_limit = 37;
    limited.memories = {Memory::user, Memory::in_place};
    Case& limited_chunks = list.add("count_limit_chunks_" + name, transform);
    limited_chunks.options.count_limit = 5;
    chunk(limited_chunks, 2, 3);
    Case& plans = list.add("plans_arrays_alone_" + name, transform);
    plans.options.arrays = Arrays::plan;
    plans.options.output = kind == Kind::c2c ? OutputLayout::natural : OutputLayout::transposed;
    plans.memories = {Memory::plan};
    chunk(plans, 2, 1);
    Case& measured = list.add("measured_" + name, transform);
    measured.options.engine_effort = EngineEffort::measure;
  }
}

/// The same layout on both sides, and chains of several exchanges with two fields and 2x3 chunks.
void add_chains(CaseList& list) {
  const Transform transform({8, 12, 10, 6}, Kind::c2c);
  const std::vector<int> grid = grid_of(list.ranks, 3);
  const PerAxis<std::vector<int>> split{{0}, {1}, {2}, {}};
  const Layout bricks = Layout::grid(transform.shape, grid, split);
  for (int fields : {1, 2}) {
    Case& chain =
        list.add("chain_of_bricks_fields_" + std::to_string(fields), transform, bricks, bricks);
    chain.options.fields = fields;
    chunk(chain, 2, 3);
    chain.memories = every_memory;
    Case& natural = list.add("natural_pencils_fields_" + std::to_string(fields),
                             Transform({12, 10, 9}, Kind::r2c));
    natural.options.decomposition = Decomposition::pencil;
    natural.options.output = OutputLayout::natural;
    natural.options.fields = fields;
    chunk(natural, 2, 3);
    natural.memories = every_memory;
  }
}

/// Spectra that keep some modes only: by size, by range, of a coarser grid, inside an ellipse; as
/// smaller arrays and in full ones.
void add_modes(CaseList& list) {
  using M = Modes;
  const M all;
  struct Kept {
    const char* name;
    std::vector<Modes> modes;
    std::vector<double> ellipse;
    bool symmetric = true;
  };
  const std::vector<Kept> kept{
      {"third", {M::up_to(4), M::up_to(3), M::up_to(5)}, {}},
      {"coarse", {M::of_grid(8), M::of_grid(7), M::of_grid(12)}, {}},
      {"mean", {M::up_to(0), M::up_to(1), M::up_to(0)}, {}},
      {"one_axis", {all, M::up_to(2), all}, {}},
      {"nyquist", {M::up_to(6), M{{{-4, -2}, {2, 4}}, 0}, M{{{0, 0}, {2, 3}, {8, 8}}, 0}}, {}},
      {"lopsided", {M{{{-2, 3}}, 0}, M{{{1, 1}, {-4, -3}}, 0}, M{{{-1, 6}}, 0}}, {}, false},
      {"sphere", {}, {4, 4, 4}},
      {"ellipsoid", {}, {5.5, 3, 7.2}},
      {"disc", {M::up_to(3), all, all}, {0, 4.5, 5}},
      {"column", {all, all, M::of_grid(9)}, {4.2, 3.1, 0}},
      {"wide", {}, {40, 4, 40}}};
  std::size_t number = 0;
  for (const Kept& one : kept)
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (Dropped dropped : {Dropped::absent, Dropped::zero}) {
        if (kind != Kind::c2c && !one.symmetric) continue;
        const bool coarse = std::ranges::any_of(one.modes, [](const M& m) { return m.grid != 0; });
        if (coarse && dropped == Dropped::zero) continue;
        Transform transform({12, 10, 16}, kind, {}, rotate(precisions, number));
        transform.modes = one.modes;
        transform.ellipse = one.ellipse;
        transform.dropped = dropped;
        transform.scale = rotate(scales, number / 2);
        Case& added = list.add("modes_" + std::to_string(number) + "_" + one.name, transform);
        added.options.decomposition = rotate(
            std::array{Decomposition::automatic, Decomposition::pencil, Decomposition::brick},
            number);
        if (number % 5 == 2) added.options.output = OutputLayout::natural;
        added.memories = rotate(memory_sets, number + number / 4);
        if (number % 3 == 1) chunk(added, 2, 3);
        if (number % 7 == 3) added.options.fields = 2;
        ++number;
      }
  Transform cosines({9, 8, 7}, Kinds{Kind::dct2, Kind::dst3, Kind::dct1});
  cosines.scale = ortho;
  for (Modes modes : {M::up_to(4), M::of_grid(5), M{{{1, 2}, {4, 6}}, 0}}) {
    cosines.modes = {modes, modes, modes};
    list.add("modes_of_cosines_" + std::to_string(number++), cosines);
  }
}

/// The half-complex packed form, alone and beside kept modes.
void add_packed(CaseList& list) {
  std::size_t number = 0;
  for (const Shape& shape : {Shape{5, 6, 8}, Shape{1, 3, 2}, Shape{16, 12}, Shape{10}}) {
    Case& packed = list.add("packed_" + weft::to_string(shape),
                            Transform(shape, Kind::r2c_packed, {}, rotate(precisions, number)));
    packed.options.output = number % 2 ? OutputLayout::natural : OutputLayout::transposed;
    packed.memories = every_memory;
    chunk(packed, 2, 3);
    ++number;
  }
  Transform beside({8, 6, 10}, Kinds{Kind::c2c, Kind::r2c_packed, Kind::dct2});
  beside.modes = {Modes::up_to(2), Modes{}, Modes::up_to(4)};
  beside.dropped = Dropped::zero;
  list.add("packed_beside_kept", beside);
}

/// Arrays larger than the first-level cache, and lengths that are hard for the engine.
void add_larger(CaseList& list) {
  list.add("large_c2c", Transform({64, 48, 40}, Kind::c2c)).memories = {Memory::plan,
                                                                        Memory::in_place};
  list.add("large_r2c_float", Transform({40, 64, 96}, Kind::r2c, {}, Precision::single_));
  Case& chunks = list.add("large_c2r_chunks", Transform({48, 40, 64}, Kind::c2r));
  chunk(chunks, 2, 3);
  list.add("large_primes", Transform({37, 53, 41}, Kind::r2c));
  list.add("large_plane", Transform({256, 300}, Kind::c2c, {}, Precision::single_));
  list.add("large_prime_line", Transform({10007}, Kind::c2c));
  list.add("large_line_batch", Transform({6, 4096}, Kind::r2c, {1})).memories = {Memory::user};
  list.add("large_dct", Transform({32, 40, 48}, Kind::dct2));
}

}  // namespace

std::vector<Case> shared_cases(int ranks) {
  const char* const wanted = std::getenv("WEFT_TEST_CASES");
  if (wanted != nullptr && std::string_view(wanted) == "none") return {};
  CaseList list(ranks);
  add_shapes(list);
  add_decompositions(list);
  add_trigonometric_kinds(list);
  add_mixes(list);
  add_layout_pairs(list);
  add_orders(list);
  add_pairs(list);
  add_own_cuts(list);
  add_partitions(list);
  add_empty_ranks(list);
  add_idle_ranks(list);
  add_split_axes(list);
  add_options(list);
  add_chains(list);
  add_modes(list);
  add_packed(list);
  add_larger(list);
  return std::move(list.cases);
}

}  // namespace weft::test
