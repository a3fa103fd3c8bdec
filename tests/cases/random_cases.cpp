// Cases drawn from a seed: anything that the public interface allows, at sizes that take
// milliseconds.
#include <algorithm>
#include <array>

#include "cases/cases.hpp"
#include "support/one_node.hpp"
#include "truth/truth.hpp"
#include "truth/walls.hpp"

namespace weft::test {
namespace {

constexpr Index largest_volume = 6000;

Shape random_shape(Random& random) {
  const int axes = static_cast<int>(random.pick(std::array{1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5, 6}));
  const std::array lengths{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                           15, 16, 17, 18, 20, 21, 23, 24, 27, 30, 32, 37, 48, 64};
  Shape shape;
  for (int axis = 0; axis < axes; ++axis) shape.push_back(random.pick(lengths));
  while (volume(shape) > largest_volume) {
    Index& longest = *std::ranges::max_element(shape);
    longest = random.between(1, longest / 2);
  }
  return shape;
}

/// One kind on some axes, as most callers ask for, or one kind per axis.
std::vector<Kind> random_kinds(int axes, Random& random) {
  std::vector<Kind> kinds(axes, Kind::none);
  const int family = static_cast<int>(random.between(0, 4));  // c2c, r2c, c2r, real, mixed
  for (Kind& kind : kinds) {
    if (random.chance(20)) continue;
    if (family < 3 || (family == 4 && random.chance(40)))
      kind = Kind::c2c;
    else
      kind = random.pick(trigonometric_kinds);
  }
  Kind& chosen = kinds[random.between(0, axes - 1)];
  if (family == 1 || (family == 4 && random.chance(50)))
    chosen = Kind::r2c;
  else if (family == 2 || (family == 4 && random.chance(50)))
    chosen = Kind::c2r;
  else if (chosen == Kind::none)
    chosen = family == 0 ? Kind::c2c : Kind::dct2;
  return kinds;
}

bool is_halved(Kind kind) { return kind == Kind::r2c || kind == Kind::c2r; }

Scale random_scale(Random& random) {
  switch (random.between(0, 4)) {
    case 0:
      return {Scale::Rule::ortho};
    case 1:
      return {Scale::Rule::forward};
    case 2:
      return {Scale::Rule::number, random.pick(std::array{2.0, -0.25, 0.3, 1e-3})};
    default:
      return {};
  }
}

/// Some way of keeping fewer modes that fits the kind; symmetric where the array is real.
Modes random_modes(const Transform& transform, int axis, Random& random) {
  const Index n = transform.shape[axis];
  const Kind kind = transform.kinds[axis];
  switch (random.between(0, 3)) {
    case 0:
      return {};
    case 1:
      return Modes::of_grid(random.between(1, n));
    case 2:
      return Modes::up_to(random.between(0, kind >= Kind::dct1 ? n - 1 : n / 2));
    default:
      break;
  }
  const bool whole_line = kind == Kind::c2c;
  const bool complex = input_is_real(transform) == output_is_real(transform);
  const Index highest = whole_line || is_halved(kind) ? n / 2 : n - 1;
  const Index first = random.between(0, highest);
  const Index last = random.between(first, highest);
  Modes modes{{{first, last}}, 0};
  if (!whole_line || first > (n - 1) / 2) return modes;
  if (complex && random.chance(50)) return modes;
  const Modes::Range mirrored{-std::min(last, (n - 1) / 2), -std::max<Index>(first, 1)};
  if (mirrored.first <= mirrored.last) modes.ranges.push_back(mirrored);
  return modes;
}

void draw_modes(Transform& transform, Random& random) {
  if (std::ranges::count(transform.kinds, Kind::r2c_packed) > 0) return;
  std::vector<int> axes;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    if (transform.kinds[axis] != Kind::none) axes.push_back(axis);
  transform.dropped = random.chance(40) ? Dropped::zero : Dropped::absent;
  transform.modes.assign(transform.kinds.size(), Modes{});
  for (int axis : axes) {
    Modes modes = random_modes(transform, axis, random);
    if (modes.grid == 0 || transform.dropped == Dropped::absent) transform.modes[axis] = modes;
  }
  if (axes.size() < 2 || random.chance(50)) return;
  random.shuffle(axes);
  transform.ellipse.assign(transform.kinds.size(), 0);
  const Index round = std::min<Index>(random.between(2, 3), static_cast<Index>(axes.size()));
  for (Index i = 0; i < round; ++i) {
    transform.modes[axes[i]] = {};
    transform.ellipse[axes[i]] = 0.5 + 0.25 * static_cast<double>(random.between(0, 40));
  }
}

Transform random_transform(Random& random) {
  Shape shape = random_shape(random);
  std::vector<Kind> kinds = random_kinds(shape.size(), random);
  for (int axis = 0; axis < shape.size(); ++axis)
    if (kinds[axis] == Kind::dct1) shape[axis] = std::max<Index>(shape[axis], 2);
  const auto halved = std::ranges::find(kinds, Kind::r2c);
  if (halved != kinds.end() && shape[static_cast<int>(halved - kinds.begin())] % 2 == 0 &&
      random.chance(25))
    *halved = Kind::r2c_packed;
  Transform transform(shape, kinds, random.chance(50) ? Precision::double_ : Precision::single_);
  transform.scale = random_scale(random);
  if (random.chance(40)) draw_modes(transform, random);
  return transform;
}

std::vector<int> random_grid(int ranks, int dimensions, Random& random) {
  std::vector<int> grid(dimensions, 1);
  for (int factor = 2; ranks > 1; ++factor)
    for (; ranks % factor == 0; ranks /= factor) grid[random.between(0, dimensions - 1)] *= factor;
  return grid;
}

/// Any assignment of grid dimensions to axes.
Layout random_grid_layout(const Shape& shape, int ranks, Random& random) {
  const std::vector<int> grid = random_grid(ranks, static_cast<int>(random.between(1, 4)), random);
  auto split = PerAxis<std::vector<int>>::filled(shape.size(), {});
  std::vector<int> dimensions(grid.size());
  for (std::size_t d = 0; d < grid.size(); ++d) dimensions[d] = static_cast<int>(d);
  random.shuffle(dimensions);
  for (int dimension : dimensions)
    split[static_cast<int>(random.between(0, shape.size() - 1))].push_back(dimension);
  return Layout::grid(shape, grid, split);
}

/// Any number of positions any distance apart.
Layout random_spread_layout(const Shape& shape, int ranks, Random& random) {
  const int positions = static_cast<int>(random.between(1, ranks));
  const int widest = (ranks - 1) / std::max(1, positions - 1);
  return random_grid_layout(shape, positions, random)
      .spread(ranks, static_cast<int>(random.between(0, widest)));
}

Layout random_layout_in_order(const Shape& shape, int ranks, Random& random) {
  const int axes = shape.size();
  switch (random.between(0, 8)) {
    case 0:
    case 1:
      return Layout::slabs(shape, ranks, static_cast<int>(random.between(-axes, axes - 1)));
    case 2: {
      if (axes < 3) break;
      const std::vector<int> grid = random_grid(ranks, 2, random);
      return Layout::pencils(shape, {grid[0], grid[1]},
                             static_cast<int>(random.between(-axes, axes - 1)));
    }
    case 3: {
      const std::vector<int> grid = random_grid(ranks, axes, random);
      return Layout::bricks(shape, PerAxis<int>(grid.begin(), grid.end()));
    }
    case 4:
      return irregular_boxes(shape, ranks, random.next());
    case 5:
      return all_on(shape, ranks, static_cast<int>(random.between(0, ranks - 1)));
    case 6:
      return random_spread_layout(shape, ranks, random);
    default:
      break;
  }
  return random_grid_layout(shape, ranks, random);
}

Layout random_layout(const Shape& shape, int ranks, Random& random) {
  const Layout layout = random_layout_in_order(shape, ranks, random);
  if (random.chance(40)) return layout;
  Order order = natural_order(shape.size());
  random.shuffle(order);
  return layout.ordered(order);
}

/// How the planner is to lay out the arrays, if the layout is left to it.
void draw_decomposition(Options& options, int axes, int ranks, Random& random) {
  options.output = random.chance(50) ? OutputLayout::natural : OutputLayout::transposed;
  if (random.chance(25)) ranks = options.active_ranks = static_cast<int>(random.between(1, ranks));
  switch (random.between(0, 3)) {
    case 0:
      options.decomposition = Decomposition::slab;
      break;
    case 1:
      if (axes < 3) break;
      options.decomposition = Decomposition::pencil;
      if (random.chance(50)) options.grid = random_grid(ranks, 2, random);
      break;
    case 2:
      options.decomposition = Decomposition::brick;
      if (random.chance(50)) options.grid = random_grid(ranks, axes, random);
      break;
    default:
      break;
  }
}

/// How exchanges and passes overlap. Without progress threads, which the MPI may not support.
void draw_schedule(Options& options, Random& random) {
  using Policy = ProgressPolicy;
  if (random.chance(60)) options.producer_chunks = static_cast<int>(random.between(1, 5));
  if (random.chance(60)) options.consumer_chunks = static_cast<int>(random.between(1, 5));
  if (random.chance(20)) options.producer_chunks = options.consumer_chunks;
  if (random.chance(40)) options.schedule = ScheduleForm::split;
  if (random.chance(50)) options.start_order = StartOrder::producer;
  if (random.chance(25)) options.pack_order = PackOrder::producer;
  options.start_share = random.pick(std::array{0.75, 0.75, 1.0, 0.5, 0.2, 1e-3});
  options.in_flight = static_cast<int>(random.pick(std::array{8, 0, 1, 2, 3, 5}));
  options.progress = random.pick(std::array{Policy::adaptive, Policy::none, Policy::poll});
  options.poll_tiles = static_cast<int>(random.between(1, 8));
}

Options random_options(const std::vector<std::string>& exchanges,
                       const std::vector<std::string>& engines, Random& random) {
  Options options;
  options.engine_effort = EngineEffort::estimate;
  options.exchange = random.pick(exchanges);
  options.engine = random.pick(engines);
  std::vector<std::string> inter_node = inter_node_names();
  std::erase_if(inter_node, [&](const std::string& name) {
    return std::ranges::find(exchanges, name) == exchanges.end();
  });
  options.inter_node = random.pick(inter_node);
  if (!needs_one_node(options.exchange) && random.chance(50))
    options.ranks_per_node = static_cast<int>(random.between(1, 3));
  draw_schedule(options, random);
  if (random.chance(30)) options.fields = static_cast<int>(random.between(2, 3));
  if (random.chance(15)) options.threads = 2;
  if (random.chance(15)) options.count_limit = random.between(1, 200);
  return options;
}

/// Half-open cuts anywhere in the box, ends included.
void cut(const Box& box, int parts, Random& random, std::vector<Box>& boxes) {
  if (parts == 1) {
    boxes.push_back(box);
    return;
  }
  const int axis = static_cast<int>(random.between(0, box.axes() - 1));
  const int below = static_cast<int>(random.between(1, parts - 1));
  Box lower = box, upper = box;
  const bool anywhere = random.chance(30) || box.extent(axis) < 2;
  const Index place = anywhere ? random.between(box.lower[axis], box.upper[axis])
                               : random.between(box.lower[axis] + 1, box.upper[axis] - 1);
  lower.upper[axis] = upper.lower[axis] = place;
  cut(lower, below, random, boxes);
  cut(upper, parts - below, random, boxes);
}

/// Split axes can be padded only as the slowest ones in memory.
Layout randomly_padded(const Layout& layout, Random& random) {
  PerAxis<Index> extra;
  for (int axis = 0; axis < layout.global().size(); ++axis) {
    const bool is_valid = layout.classes(axis) == 1 || axis == layout.order()[0];
    extra.push_back(is_valid && random.chance(50) ? random.between(1, 3) : 0);
  }
  return layout.padded(extra);
}

/// Cyclic layouts at both ends, where there are axes that can be split.
void deal_out(Case& one, int ranks, Random& random) {
  Transform& transform = one.transform;
  std::vector<int> axes;
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    if (transform.kinds[axis] == Kind::c2c) axes.push_back(axis);
  if (axes.empty() || one.options.exchange == "pairwise_in_place") return;
  std::ranges::replace(transform.kinds, Kind::r2c_packed, Kind::r2c);
  const Scale scale = transform.scale;
  transform = Transform(transform.shape, transform.kinds, transform.precision);
  transform.scale = scale;
  for (Index& length : transform.shape)
    length = std::min<Index>(length, transform.shape.size() > 3 ? 2 : 6);
  const std::vector<int> counts = random_grid(ranks, static_cast<int>(axes.size()), random);
  auto grid = PerAxis<int>::filled(transform.shape.size(), 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    grid[axes[i]] = counts[i];
    transform.shape[axes[i]] = counts[i] * counts[i] * random.between(1, 3);
  }
  const auto layout = [&](const Shape& shape) {
    Order order = natural_order(shape.size());
    if (random.chance(60)) random.shuffle(order);
    return Layout::cyclic(shape, grid).ordered(order);
  };
  one.layouts = {layout(input_shape(transform)), layout(output_shape(transform))};
}

}  // namespace

Case random_case(std::uint64_t seed, int ranks, const std::vector<std::string>& exchanges,
                 const std::vector<std::string>& engines) {
  Random random(mixed(seed) ^ static_cast<std::uint64_t>(ranks));
  Case one;
  one.name = "random_" + std::to_string(seed);
  one.transform = random_transform(random);
  one.options = random_options(exchanges, engines, random);
  if (random.chance(35)) {
    draw_decomposition(one.options, one.transform.shape.size(), ranks, random);
  } else {
    const Layout input = random_layout(input_shape(one.transform), ranks, random);
    const Layout output = random_layout(output_shape(one.transform), ranks, random);
    one.layouts = {input, output};
    if (random.chance(15)) deal_out(one, ranks, random);
  }
  std::vector memories = every_memory;
  random.shuffle(memories);
  one.memories.assign(memories.begin(), memories.begin() + 2);
  if (one.options.fields == 1 && random.chance(15)) {
    one.options.arrays = Arrays::plan;
    one.memories = {Memory::plan};
  }
  if (one.layouts && random.chance(30)) {
    one.layouts->first = randomly_padded(one.layouts->first, random);
    one.layouts->second = randomly_padded(one.layouts->second, random);
  }
  return one;
}

Layout irregular_boxes(const Shape& shape, int ranks, std::uint64_t seed) {
  Random random(mixed(seed));
  std::vector<Box> boxes;
  cut(Box::whole(shape), ranks, random, boxes);
  random.shuffle(boxes);
  return Layout::boxes(shape, boxes);
}

std::uint64_t Random::next() { return mixed(state_++); }

Index Random::between(Index low, Index high) {
  return low + static_cast<Index>(next() % static_cast<std::uint64_t>(high - low + 1));
}

}  // namespace weft::test
