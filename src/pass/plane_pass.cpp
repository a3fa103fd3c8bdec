// A pass of two steps: whole planes of both axes go through scratch memory that stays cached. This
// saves a sweep over memory, but only while a plane fits the caches.
#include <fmt/format.h>

#include <algorithm>

#include "machine/cache_line.hpp"
#include "pass/tile_pass.hpp"
#include "pass/tiling.hpp"

namespace weft {
namespace {

/// How planes are grouped, and the layout of a group in scratch memory: rows are an odd number of
/// cache lines apart.
struct Planes {
  Cut groups;
  PerAxis<Index> strides;
  Index bytes = 0;
};

/// The axes of a group in scratch memory, the fastest first. `kept_axis`: contiguous on both sides,
/// and kernels want it contiguous here too. Otherwise lines of one step are contiguous: lines of
/// the first step, unless kernels want the other.
std::vector<int> memory_order(const Computation& computation, int axes, bool has_kernels,
                              int kept_axis) {
  const Step& inner = computation.steps[0];
  const Step& outer = computation.steps[1];
  const bool keeps_outer = has_kernels && outer.contiguous_lines;
  std::vector<int> order{inner.axis, outer.axis};
  if (keeps_outer) std::swap(order[0], order[1]);
  const auto is_placed = [&](int axis) { return std::ranges::count(order, axis) > 0; };
  if (has_kernels && kept_axis >= 0 && !is_placed(kept_axis))
    order.insert(order.begin(), kept_axis);
  for (int axis = axes - 1; axis >= 0; --axis)
    if (!is_placed(axis)) order.push_back(axis);
  return order;
}

/// The bytes of a group. A few planes at a time stay near to the core. But planes whose elements
/// lie beside one another along a further axis are read and written in runs along that axis, which
/// should be long.
std::size_t group_bytes(bool has_runs, const Caches& caches) {
  return caches.level2 / (has_runs ? 2 : 16);
}

/// Groups as many whole planes as may be together, but at least one, and so that all threads have
/// as nearly equally many groups as the slowest axis allows. `order`: the axes in scratch memory,
/// the fastest first; groups along the fastest axis keep vectors full.
Cut choose_groups(const Computation& computation, const Shape& largest,
                  const std::vector<int>& order, int threads, const Caches& caches) {
  const Step& inner = computation.steps[0];
  const Step& outer = computation.steps[1];
  const Index plane = inner.output_length * outer.input_length * computation.middle.bytes();
  const bool has_runs = order.front() != inner.axis && order.front() != outer.axis;
  const auto most = static_cast<Index>(group_bytes(has_runs, caches));
  Index left = std::max<Index>(1, most / std::max<Index>(1, plane));
  Cut groups;
  groups.extents = Shape::filled(largest.size(), 1);
  int slowest = -1;
  for (const int axis : order) {
    if (axis == inner.axis || axis == outer.axis) continue;
    groups.extents[axis] = std::min(left, std::max<Index>(1, largest[axis]));
    left /= groups.extents[axis];
    if (largest[axis] > 1) slowest = axis;
  }
  if (threads > 1 && slowest >= 0) {
    const Index extent = largest[slowest];
    const Index parts = (extent + groups.extents[slowest] - 1) / groups.extents[slowest];
    const Index even_parts = std::min(extent, (parts + threads - 1) / threads * threads);
    const Index unit = slowest == order.front() ? most_lanes(computation.middle.precision) : 1;
    const Index part = (extent + even_parts - 1) / even_parts;
    groups.extents[slowest] = std::min(groups.extents[slowest], (part + unit - 1) / unit * unit);
  }
  for (int axis = 0; axis < largest.size(); ++axis)
    if (axis != inner.axis && axis != outer.axis) groups.axes.push_back(axis);
  return groups;
}

Planes choose_planes(const PassSpec& spec, const std::vector<Cell>& cells,
                     const std::vector<int>& order, const Caches& caches) {
  const Step& inner = spec.computation.steps[0];
  const Step& outer = spec.computation.steps[1];
  const Shape largest = largest_extents(domains_of(cells));
  Planes planes;
  planes.groups = choose_groups(spec.computation, largest, order, spec.threads, caches);
  planes.strides = PerAxis<Index>::filled(largest.size(), 0);
  Index stride = spec.computation.middle.bytes();
  for (const int axis : order) {
    planes.strides[axis] = stride;
    stride *= axis == inner.axis   ? inner.output_length
              : axis == outer.axis ? outer.input_length
                                   : planes.groups.extents[axis];
    if (axis == order.front()) stride = odd_lines(stride);
  }
  const auto is_empty = [](const Cell& cell) { return cell.domain.empty(); };
  planes.bytes = std::ranges::all_of(cells, is_empty) ? 0 : stride;
  return planes;
}

class PlanePass : public TilePass {
 public:
  PlanePass(PassParts parts, const Caches& caches)
      : TilePass(std::move(parts), caches),
        planes_(choose_planes(spec(), cells(), order_of_planes(), caches)) {
    make_sweeps(caches);
    prepare_sums(*sweeps_.front(), *sweeps_.back());
    for (int number = 0; number < spec().threads; ++number) {
      Worker& worker = workers_.emplace_back();
      worker.memory = AlignedBuffer(planes_.bytes);
      std::fill_n(worker.memory.data(), planes_.bytes, std::byte{0});
      worker.planes = {{worker.memory.data()}, {{{}, 0, planes_.strides}}};
      for (const auto& sweep : sweeps_) worker.buffers.push_back(sweep->make_buffers());
    }
  }

  void run(int index, const std::function<void()>& poll) override {
    const Cell& cell = cells()[index];
    run_units(index, planes_.groups.parts(cell.domain), poll, [&](Index group, int worker) {
      run_group(planes_.groups.part(cell.domain, group), cell, worker);
    });
  }

  std::size_t buffer_bytes() const override {
    std::size_t bytes = static_cast<std::size_t>(planes_.bytes);
    for (const auto& sweep : sweeps_) bytes += sweep->buffer_bytes();
    return bytes * workers_.size();
  }

  std::string describe() const override {
    return fmt::format("planes {}, tile {} then {}", to_string(planes_.groups.extents),
                       to_string(sweeps_[0]->tile()), to_string(sweeps_[1]->tile()));
  }

 private:
  std::vector<int> order_of_planes() const {
    const Computation& computation = spec().computation;
    const Shape largest = largest_extents(domains_of(cells()));
    const int source = unit_axis(from(), largest, computation.input.bytes());
    const int target = unit_axis(to(), largest, computation.output.bytes());
    // Fewer elements leave lanes of the longest vectors empty.
    const bool is_kept = source >= 0 && source == target &&
                         largest[source] >= most_lanes(computation.middle.precision);
    return memory_order(computation, largest.size(), spec().engine->has_kernels,
                        is_kept ? source : -1);
  }

  /// The memory of one thread.
  struct Worker {
    AlignedBuffer memory;
    View planes;                       // of the current group
    std::vector<TileBuffers> buffers;  // by sweep
  };

  /// The groups that planning looks at: memory may not hold a list of all. The first group has the
  /// largest extent along every axis, the last one the smallest, and together they have as many
  /// lines as an engine transforms at a time.
  std::vector<Box> some_groups() const {
    std::vector<Box> groups;
    for (const Cell& cell : cells()) {
      const Index count = planes_.groups.parts(cell.domain);
      for (Index group = 0; group < std::min(count, most_lines_at_a_time); ++group)
        groups.push_back(planes_.groups.part(cell.domain, group));
      if (count > most_lines_at_a_time)
        groups.push_back(planes_.groups.part(cell.domain, count - 1));
    }
    if (groups.empty()) groups.push_back(cells().front().domain);
    return groups;
  }

  /// Makes the sweeps from the source to the planes, within the planes if the pass is fused, and
  /// from the planes to the target.
  void make_sweeps(const Caches& caches) {
    const Step& inner = spec().computation.steps.front();
    const std::vector<Box> groups = some_groups();
    std::vector<Box> middles;
    for (const Box& group : groups) middles.push_back(inner.output_box(group));

    const std::vector<View> planes{{{nullptr}, {{{}, 0, planes_.strides}}}};
    const std::vector<LineComputation> parts = spec().computation.along_lines();
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const bool is_first = part == 0, is_last = part + 1 == parts.size();
      SweepSpec sweep = sweep_spec(parts[part]);
      if (is_first) sweep.source = source_side();
      sweep.target.scratch = is_first;
      sweep.source.scratch = is_last;
      if (is_last) sweep.target = target_side();
      sweeps_.push_back(make_sweep(std::move(sweep), is_first ? groups : middles,
                                   is_first ? from() : planes, is_last ? to() : planes, caches));
    }
  }

  void run_group(const Box& group, const Cell& cell, int number_of_worker) {
    Worker& worker = workers_[number_of_worker];
    const Box middle = spec().computation.steps.front().output_box(group);
    worker.planes.pieces.front().box = middle;
    for (std::size_t number = 0; number < sweeps_.size(); ++number) {
      const bool is_first = number == 0, is_last = number + 1 == sweeps_.size();
      const Sweep& sweep = *sweeps_[number];
      const Box& domain = is_first ? group : middle;
      const View& source = is_first ? from()[cell.consumes] : worker.planes;
      const View& target = is_last ? to()[cell.produces] : worker.planes;
      const SweepCall sweep_call{
          call().function, is_last ? call().scale : 1,
          sums({.is_first = is_first, .is_last = is_last}, number_of_worker)};
      for (Index tile = 0, count = sweep.tiles(domain); tile < count; ++tile)
        sweep.run_tile(domain, tile, source, target, worker.buffers[number], sweep_call);
    }
  }

  Planes planes_;
  std::vector<std::unique_ptr<const Sweep>> sweeps_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<Pass> make_plane_pass(PassParts parts, const Caches& caches) {
  return std::make_unique<PlanePass>(std::move(parts), caches);
}

}  // namespace weft
