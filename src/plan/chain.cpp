// Greedy, like the hand-made slab and pencil codes it replaces: transform the local axes, then
// bring the next axis together by moving grid dimensions off it.
#include "plan/chain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "layout/partition.hpp"
#include "transform/modes.hpp"

namespace weft {
namespace {

/// A double holds the product of any sensible grid, and does not overflow on others.
double product(const std::vector<int>& values) {
  return std::accumulate(values.begin(), values.end(), 1.0, std::multiplies<>());
}

/// The state of the greedy walk.
class ChainBuilder {
 public:
  ChainBuilder(const Transform& transform, const Layout& spectral,
               const std::vector<SplitAxis>& axes, const Caches& caches)
      : target_(spectral), left_(transform, axes, caches) {}

  std::vector<Leg> build(const Layout& physical) {
    // Exchange while an axis is still local: it then shares a plane with the axis that arrives
    // and needs no sweep of its own.
    std::vector<Leg> legs = left_.walk(physical, [&](const Layout& current) {
      const int absent = left_.next_absent(current);
      if (absent < 0) return current;
      if (target_.global().size() > 0 && left_.needs_one_exchange(current, target_))
        return left_.has_local(current) ? current : target_.ordered(current.order());
      return bring_together(current, absent);
    });
    if (target_.global().size() > 0 && !target_.has_boxes_of(legs.back().spectral))
      legs.push_back({target_, target_, {}});
    return legs;
  }

 private:
  const Shape& shape() const { return left_.shape(); }

  Layout bring_together(const Layout& layout, int axis) const {
    if (!layout.has_grid()) return fresh_layout(layout, axis);
    std::vector<int> moving = layout.split()[axis];
    Layout moved = layout;
    for (int dimension : moving) moved = move_dimension(moved, dimension, axis);
    return moved.is_local(axis) ? moved : fresh_layout(layout, axis);
  }

  Layout move_dimension(const Layout& layout, int dimension, int from) const {
    auto split = layout.split();
    std::erase(split[from], dimension);
    int best = -1;
    long best_score = 0;
    for (int axis = 0; axis < shape().size(); ++axis) {
      if (axis == from) continue;
      const long score = score_of(layout, dimension, axis);
      if (best < 0 || score > best_score) {
        best = axis;
        best_score = score;
      }
    }
    if (best < 0) return layout;  // one axis: no other to split
    split[best].push_back(dimension);
    return cut_as_before_and_after(
               layout, on_ranks_of(layout, Layout::grid(shape(), layout.process_grid(), split,
                                                        layout.partition())))
        .ordered(layout.order());
  }

  /// Cuts axes where their split stays in the same places, and others as the target cuts them: data
  /// then stay on their ranks as far as possible.
  Layout cut_as_before_and_after(const Layout& layout, const Layout& moved) const {
    PerAxis<std::vector<Index>> cuts;
    for (int axis = 0; axis < shape().size(); ++axis) {
      const auto cuts_alike = [&](const Layout& other) {
        return other.has_grid() && other.process_grid() == moved.process_grid() &&
               other.split()[axis] == moved.split()[axis] && other.global()[axis] == shape()[axis];
      };
      cuts.push_back(cuts_alike(layout)    ? layout.cuts(axis)
                     : cuts_alike(target_) ? target_.cuts(axis)
                                           : moved.cuts(axis));
    }
    return moved.cut_at(std::move(cuts));
  }

  /// How well `axis` would carry a grid dimension; digits from the most important to the least.
  long score_of(const Layout& layout, int dimension, int axis) const {
    const auto& grid = layout.process_grid();
    int parts = grid[dimension];
    for (int other : layout.split()[axis]) parts *= grid[other];
    const bool long_enough = shape()[axis] >= parts;
    const bool done = left_.is_done(axis);
    const bool wanted =
        target_.has_grid() && target_.process_grid() == grid &&
        std::ranges::find(target_.split()[axis], dimension) != target_.split()[axis].end();
    const bool unsplit = layout.split()[axis].empty();
    return 1000L * long_enough + 100L * done + 10L * (wanted && done) + unsplit;
  }

  /// A process grid with as many positions, on the same ranks: ranks that hold nothing stay out of
  /// the exchanges on the way.
  static Layout on_ranks_of(const Layout& layout, const Layout& grid) {
    return grid.spread(layout.ranks(), layout.stride_of_ranks());
  }

  /// A new process grid for layouts whose grid is missing or of no use.
  Layout fresh_layout(const Layout& layout, int local_axis) const {
    const int positions = layout.positions();
    std::vector<int> others;
    for (int axis = 0; axis < shape().size(); ++axis)
      if (axis != local_axis) others.push_back(axis);
    if (others.empty()) return whole_on_first(layout.ranks());
    // Axes whose transforms are done, then long ones, carry the split best.
    std::ranges::stable_sort(others, std::greater<>(), [&](int axis) {
      return std::pair(left_.is_done(axis), shape()[axis]);
    });
    auto split = PerAxis<std::vector<int>>::filled(shape().size(), {});
    if (shape()[others[0]] >= positions || others.size() == 1) {
      split[others[0]] = {0};
      return on_ranks_of(layout, Layout::grid(shape(), {positions}, split));
    }
    split[others[0]] = {0};
    split[others[1]] = {1};
    return on_ranks_of(layout, Layout::grid(shape(), near_square_grid(positions, 2), split));
  }

  /// A single axis has no other to split: one rank transforms it, the others hold nothing.
  Layout whole_on_first(int ranks) const {
    std::vector<Box> boxes(ranks,
                           Box{Point::filled(shape().size(), 0), Point::filled(shape().size(), 0)});
    boxes.front() = Box::whole(shape());
    return Layout::boxes(shape(), std::move(boxes));
  }

  const Layout& target_;
  LocalTransforms left_;
};

std::vector<int> checked_grid(const Options& options, int dimensions, int ranks) {
  if (options.grid.empty()) return near_square_grid(ranks, dimensions);
  if (static_cast<int>(options.grid.size()) != dimensions)
    throw Error(fmt::format("grid {}: has {} counts; this decomposition needs {}",
                            fmt::join(options.grid, "x"), options.grid.size(), dimensions));
  if (std::ranges::any_of(options.grid, [](int count) { return count < 1; }) ||
      product(options.grid) != ranks)
    throw Error(fmt::format("grid {}: the counts must be positive and multiply to the {} ranks{}",
                            fmt::join(options.grid, "x"), ranks,
                            options.active_ranks > 0 ? " that active_ranks says" : ""));
  return options.grid;
}

/// Gives the axes from `axis` on processes whose squares divide their lengths, as many as possible
/// to the slowest ones, whose parts leave runs along the faster axes whole. False if there are no
/// such counts.
bool deal_out(const Transform& transform, int axis, int ranks, std::vector<int>& grid) {
  if (axis == transform.shape.size()) return ranks == 1;
  const bool is_c2c = transform.kinds[static_cast<std::size_t>(axis)] == Kind::c2c;
  for (int count = is_c2c ? ranks : 1; count > 0; --count) {
    if (ranks % count != 0 || transform.shape[axis] % (static_cast<Index>(count) * count) != 0)
      continue;
    grid[static_cast<std::size_t>(axis)] = count;
    if (deal_out(transform, axis + 1, ranks / count, grid)) return true;
  }
  return false;
}

std::vector<int> cyclic_grid(const Transform& transform, int ranks) {
  std::vector<int> grid(static_cast<std::size_t>(transform.shape.size()), 1);
  if (!deal_out(transform, 0, ranks, grid))
    throw Error(fmt::format(
        "decomposition cyclic: {} ranks are no product of counts whose squares divide the lengths "
        "of "
        "c2c axes of shape {}; valid are other numbers of ranks, and other decompositions",
        ranks, to_string(transform.shape)));
  return grid;
}

Decomposition choose_decomposition(const Transform& transform, const Options& options, int ranks) {
  if (options.decomposition != Decomposition::automatic &&
      options.decomposition != Decomposition::any)
    return options.decomposition;
  if (options.partition == Partition::cyclic) return Decomposition::cyclic;
  const int axes = transform.shape.size();
  if (static_cast<int>(options.grid.size()) == 2 && axes >= 3) return Decomposition::pencil;
  if (static_cast<int>(options.grid.size()) == axes && axes > 1) return Decomposition::brick;
  // Slabs exchange once; they serve while every rank has a plane on either side of the exchange.
  const Shape spectral = transform.spectral_shape();
  const bool enough = axes < 3 || (spectral[0] >= ranks && spectral[1] >= ranks);
  return enough ? Decomposition::slab : Decomposition::pencil;
}

Layout balanced_layout(const Transform& transform, const Options& options, int ranks) {
  const Shape& shape = transform.shape;
  switch (choose_decomposition(transform, options, ranks)) {
    case Decomposition::pencil: {
      if (shape.size() < 3)
        throw Error(fmt::format("decomposition pencil: shape {} has fewer than 3 axes; use slab",
                                to_string(shape)));
      const auto grid = checked_grid(options, 2, ranks);
      return Layout::pencils(shape, PerAxis<int>(grid.begin(), grid.end()));
    }
    case Decomposition::cyclic: {
      const auto grid = options.grid.empty() ? cyclic_grid(transform, ranks)
                                             : checked_grid(options, shape.size(), ranks);
      return Layout::cyclic(shape, PerAxis<int>(grid.begin(), grid.end()));
    }
    case Decomposition::brick: {
      const auto grid = checked_grid(options, shape.size(), ranks);
      return Layout::bricks(shape, PerAxis<int>(grid.begin(), grid.end()));
    }
    default:
      checked_grid(options, 1, ranks);
      return Layout::slabs(shape, ranks);
  }
}

}  // namespace

Layout default_layout(const Transform& transform, const Options& options, int ranks) {
  const Layout layout = balanced_layout(transform, options, ranks);
  if (layout.partition() != Partition::cyclic) return layout.partitioned(options.partition);
  if (options.partition != Partition::balanced && options.partition != Partition::cyclic)
    throw Error(
        fmt::format("partition {}: decomposition cyclic deals axes out; valid are cyclic and "
                    "balanced, the default",
                    to_string(options.partition)));
  return layout;
}

std::vector<Leg> make_chain(const Transform& transform, const Layout& physical,
                            const Layout& spectral, const std::vector<SplitAxis>& axes,
                            const Caches& caches) {
  return ChainBuilder(transform, spectral, axes, caches).build(physical);
}

std::vector<Leg> in_kept_indices(const Transform& transform, std::vector<Leg> legs) {
  PerAxis<ModeMap> maps;
  for (Index length : transform.shape) maps.push_back({length, length, {{0, 0, length}}});
  for (Leg& leg : legs) {
    leg.physical = kept_layout(leg.physical, maps);
    for (int axis : leg.axes) maps[axis] = mode_map(transform, axis);
    leg.spectral = kept_layout(leg.spectral, maps);
  }
  return legs;
}

}  // namespace weft
