// A pass as one sweep, or as two that meet in a plane small enough to stay cached.
#include "pass/pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "machine/cache_line.hpp"
#include "pass/strided_copy.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace weft {
namespace {

int thread_number() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

Shape largest_of(const std::vector<Cell>& cells) {
  Shape largest = Shape::filled(cells.front().domain.axes(), 0);
  for (const Cell& cell : cells)
    for (int axis = 0; axis < largest.size(); ++axis)
      largest[axis] = std::max(largest[axis], cell.domain.extent(axis));
  return largest;
}

/// The same single piece on both sides, so that a tile or plane lands where it came from.
bool is_same_array(const View& from, const View& to) {
  return from.pieces.size() == 1 && to.pieces.size() == 1 &&
         from.pieces.front().box == to.pieces.front().box &&
         from.pieces.front().offset == to.pieces.front().offset &&
         from.pieces.front().strides == to.pieces.front().strides;
}

}  // namespace

std::size_t cached_budget(const Caches& caches) { return caches.level2 + caches.level3 / 2; }

std::size_t plane_budget(const Caches& caches) {
  // A plane is written once and read once; beyond the second level the third's share still beats
  // memory.
  return std::max(2 * caches.level2, caches.level3 / 4);
}

Pass::Pass(PassSpec spec, std::vector<Cell> cells, std::vector<View> from, std::vector<View> to,
           const Caches& caches)
    : spec_(std::move(spec)), cells_(std::move(cells)), from_(std::move(from)), to_(std::move(to)) {
  in_place_ = spec_.computation.input == spec_.computation.output && cells_.size() == 1 &&
              is_same_array(from_.front(), to_.front());
  spec_.source.cached = spec_.target.cached = traffic_bytes() <= cached_budget(caches);
  for (std::vector<View>* views : {&from_, &to_})
    for (View& view : *views) view.make_index();
  if (spec_.computation.steps.size() == 2)
    plan_two_sweeps(caches);
  else
    plan_one_sweep(caches);
  workers_.resize(spec_.threads);
  for (Worker& worker : workers_) {
    worker.first = first_->make_buffers();
    if (second_) worker.second = second_->make_buffers();
    if (third_) worker.third = third_->make_buffers();
    worker.plane = AlignedBuffer(plane_bytes_);
    std::fill_n(worker.plane.data(), plane_bytes_, std::byte{0});
  }
}

SweepSpec Pass::sweep_spec(LineComputation computation) const {
  SweepSpec sweep;
  sweep.computation = std::move(computation);
  sweep.engine = spec_.engine;
  sweep.effort = spec_.effort;
  sweep.wavenumbers = spec_.wavenumbers;
  return sweep;
}

void Pass::plan_one_sweep(const Caches& caches) {
  SweepSpec sweep = sweep_spec(spec_.computation.along_lines().front());
  sweep.source = spec_.source;
  sweep.target = spec_.target;
  std::vector<Box> domains;
  for (const Cell& cell : cells_) domains.push_back(cell.domain);
  first_ = std::make_unique<Sweep>(std::move(sweep), domains, from_, to_, caches);
}

/// As many whole planes at a time as half the second-level cache holds, one where they are larger;
/// in scratch memory with lines of the first step contiguous, rows an odd number of cache lines
/// apart.
void Pass::choose_planes(const Caches& caches) {
  const Step& inner = spec_.computation.steps[0];
  const Step& outer = spec_.computation.steps[1];
  const Shape largest = largest_of(cells_);
  const int axes = largest.size();
  const Index bytes = spec_.computation.middle.bytes();
  const Index plane = inner.output_length * outer.input_length * bytes;
  Index left =
      std::max<Index>(1, static_cast<Index>(caches.level2 / 2) / std::max<Index>(1, plane));
  group_ = Shape::filled(axes, 1);
  strides_ = PerAxis<Index>::filled(axes, 0);
  strides_[inner.axis] = bytes;
  Index stride = odd_lines(inner.output_length * bytes);
  strides_[outer.axis] = stride;
  stride *= outer.input_length;
  for (int axis = axes - 1; axis >= 0; --axis) {
    if (axis == inner.axis || axis == outer.axis) continue;
    group_[axis] = std::clamp<Index>(left, 1, std::max<Index>(1, largest[axis]));
    left /= group_[axis];
    strides_[axis] = stride;
    stride *= group_[axis];
  }
  plane_bytes_ = volume(largest) == 0 ? 0 : stride;
}

/// From the source to the plane, through the plane where the pass is fused, and on to the target.
void Pass::plan_two_sweeps(const Caches& caches) {
  choose_planes(caches);
  std::vector<Box> domains;
  std::vector<Box> plane_domains;
  for (const Cell& cell : cells_)
    for (Index group = 0; group < groups(cell.domain); ++group) {
      domains.push_back(group_box(cell.domain, group));
      plane_domains.push_back(spec_.computation.steps[0].output_box(domains.back()));
    }
  if (domains.empty()) domains = plane_domains = {cells_.front().domain};
  const std::vector<View> planes{{{nullptr}, {{{}, 0, strides_}}}};

  const std::vector<LineComputation> parts = spec_.computation.along_lines();
  SweepSpec first = sweep_spec(parts.front());
  first.source = spec_.source;
  first.target.cached = first.target.own = true;
  first_ = std::make_unique<Sweep>(std::move(first), domains, from_, planes, caches);

  SweepSpec last = sweep_spec(parts.back());
  last.source.cached = last.source.own = true;
  last.target = spec_.target;
  auto& to_target = spec_.computation.is_fused() ? third_ : second_;
  to_target = std::make_unique<Sweep>(std::move(last), plane_domains, planes, to_, caches);
  if (!third_) return;

  SweepSpec within = sweep_spec(parts[1]);
  within.source.cached = within.target.cached = true;
  second_ = std::make_unique<Sweep>(std::move(within), plane_domains, planes, planes, caches);
}

Index Pass::groups(const Box& domain) const {
  if (domain.empty()) return 0;
  if (!strides_.empty()) {
    Index count = 1;
    for (int axis = 0; axis < group_.size(); ++axis)
      if (axis != spec_.computation.steps[0].axis && axis != spec_.computation.steps[1].axis)
        count *= (domain.extent(axis) + group_[axis] - 1) / group_[axis];
    return count;
  }
  return first_->tiles(domain);
}

Box Pass::group_box(const Box& domain, Index group) const {
  Box box = domain;
  for (int axis = domain.axes() - 1; axis >= 0; --axis) {
    if (axis == spec_.computation.steps[0].axis || axis == spec_.computation.steps[1].axis)
      continue;
    const Index count = (domain.extent(axis) + group_[axis] - 1) / group_[axis];
    box.lower[axis] = domain.lower[axis] + group % count * group_[axis];
    box.upper[axis] = std::min(domain.upper[axis], box.lower[axis] + group_[axis]);
    group /= count;
  }
  return box;
}

void Pass::run_group(const Box& group, const View& from, const View& to, Worker& worker) const {
  const Box middle = spec_.computation.steps[0].output_box(group);
  const View planes{{worker.plane.data()}, {{middle, 0, strides_}}};
  for (Index tile = 0, count = first_->tiles(group); tile < count; ++tile)
    first_->run_tile(group, tile, from, planes, worker.first);
  const View& result = third_ ? planes : to;
  for (Index tile = 0, count = second_->tiles(middle); tile < count; ++tile)
    second_->run_tile(middle, tile, planes, result, worker.second, function_);
  if (!third_) return;
  for (Index tile = 0, count = third_->tiles(middle); tile < count; ++tile)
    third_->run_tile(middle, tile, planes, to, worker.third);
}

void Pass::run(int index, const std::function<void()>& poll) {
  const Cell& cell = cells_[index];
  const View& from = from_[cell.consumes];
  const View& to = to_[cell.produces];
  const Index count = groups(cell.domain);
  if (index + 1 == static_cast<int>(cells_.size())) blank(to);
  const auto work = [&](Index unit, Worker& worker) {
    if (second_)
      run_group(group_box(cell.domain, unit), from, to, worker);
    else
      first_->run_tile(cell.domain, unit, from, to, worker.first, function_);
  };
  if (spec_.threads == 1) {
    for (Index unit = 0; unit < count; ++unit) {
      work(unit, workers_.front());
      poll();
    }
    store_fence();
    return;
  }
#pragma omp parallel num_threads(spec_.threads)
  {
    Worker& worker = workers_[thread_number()];
#pragma omp for schedule(dynamic)
    for (Index unit = 0; unit < count; ++unit) {
      work(unit, worker);
      if (thread_number() == 0) poll();
    }
    store_fence();
  }
}

/// Not before the last cell: in place, what is there may have to be read until then.
void Pass::blank(const View& to) const {
  for (const Piece& piece : spec_.blank)
    fill_with_zeros(to.address(piece, piece.box.lower), piece.strides, piece.box.extents(),
                    spec_.computation.output.bytes());
}

void Pass::bind_source(const void* data) {
  for (View& view : from_) view.bind(const_cast<std::byte*>(static_cast<const std::byte*>(data)));
}

void Pass::bind_target(void* data) {
  for (View& view : to_) view.bind(static_cast<std::byte*>(data));
}

std::size_t Pass::buffer_bytes() const {
  const std::size_t one = first_->buffer_bytes() + (second_ ? second_->buffer_bytes() : 0) +
                          (third_ ? third_->buffer_bytes() : 0) + plane_bytes_;
  return one * workers_.size();
}

std::size_t Pass::traffic_bytes() const {
  Index bytes = 0;
  for (const Cell& cell : cells_) {
    const Box result = spec_.computation.output_box(cell.domain);
    bytes += cell.domain.volume() * spec_.computation.input.bytes();
    bytes += cell.domain.empty() ? 0 : result.volume() * spec_.computation.output.bytes();
  }
  return static_cast<std::size_t>(bytes);
}

std::string Pass::describe() const {
  std::string text = second_ ? fmt::format("planes {}, ", to_string(group_)) : "";
  text += fmt::format("tile {}", to_string(first_->tile()));
  if (second_) text += fmt::format(" then {}", to_string(second_->tile()));
  return text;
}

}  // namespace weft
