// Memory is read once and written once for both axes, while each group takes two launches. A launch
// is short, so groups are as large as the cache allows.
#include "device/device_plane_pass.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/kernel_pass.hpp"
#include "pass/tiling.hpp"

namespace weft {
namespace {

/// All axes, the fastest in memory first, as the source has them.
std::vector<int> memory_order(const PassParts& parts, int axes) {
  std::vector<int> order;
  for (int axis = axes - 1; axis >= 0; --axis) order.push_back(axis);
  const auto& pieces = parts.from.front().pieces;
  if (!pieces.empty())
    std::ranges::stable_sort(order, {}, [&](int axis) { return pieces.front().strides[axis]; });
  return order;
}

/// Groups of whole planes. A group has about `group_bytes` bytes, and its planes are neighbours
/// along the fastest axes.
Cut choose_groups(const Computation& computation, const Shape& largest,
                  const std::vector<int>& order, Index group_bytes) {
  const Step& inner = computation.steps[0];
  const Step& outer = computation.steps[1];
  const Index plane = inner.output_length * outer.input_length * computation.middle.bytes();
  Index left = std::max<Index>(1, group_bytes / std::max<Index>(1, plane));
  Cut groups{Shape::filled(largest.size(), 1), {}};
  for (const int axis : order) {
    if (axis == inner.axis || axis == outer.axis) continue;
    groups.extents[axis] = std::min(left, std::max<Index>(1, largest[axis]));
    left /= groups.extents[axis];
  }
  for (int axis = 0; axis < largest.size(); ++axis)
    if (axis != inner.axis && axis != outer.axis) groups.axes.push_back(axis);
  return groups;
}

/// A group's box in scratch memory, in the memory order of the source.
Piece in_scratch(const Box& box, const std::vector<int>& order, Index element_bytes) {
  Piece piece{box, 0, PerAxis<Index>::filled(box.axes(), 0), 0};
  Index stride = element_bytes;
  for (const int axis : order) {
    piece.strides[axis] = stride;
    stride *= box.extent(axis);
  }
  return piece;
}

Computation of_one_step(const LineComputation& lines) {
  Computation computation;
  computation.steps = {*lines.step};
  computation.input = lines.input;
  computation.output = lines.output;
  computation.factor = lines.factor;
  return computation;
}

/// The pass to scratch memory and the pass from there. A cell of theirs is a group of planes.
struct Halves {
  PassParts near, far;
  std::vector<int> first_group;  // of each cell, and past the last one
  Index scratch_bytes = 0;
};

/// Without views of the two arrays.
Halves halves_of(const PassParts& parts, Index group_bytes) {
  const Computation& computation = parts.spec.computation;
  Halves halves;
  PassSpec &near = halves.near.spec, &far = halves.far.spec;
  near = far = parts.spec;
  near.computation = of_one_step(computation.along_lines().front());
  near.target = {};
  near.blank.clear();
  far.computation = of_one_step(computation.along_lines().back());
  far.source = {};

  const Shape largest = largest_extents(domains_of(parts.cells));
  const std::vector<int> order = memory_order(parts, largest.size());
  const Cut groups = choose_groups(computation, largest, order, group_bytes);
  for (const Cell& cell : parts.cells) {
    halves.first_group.push_back(static_cast<int>(halves.near.cells.size()));
    const bool is_empty = cell.domain.empty();
    for (Index number = 0; number < (is_empty ? 1 : groups.parts(cell.domain)); ++number) {
      const Box group = is_empty ? cell.domain : groups.part(cell.domain, number);
      const Box middle = computation.steps.front().output_box(group);
      const Index bytes = is_empty ? 0 : middle.volume() * computation.middle.bytes();
      const int place = static_cast<int>(halves.near.cells.size());
      halves.near.cells.push_back({group, cell.consumes, place});
      halves.far.cells.push_back({middle, place, cell.produces});
      halves.near.to.push_back(
          {{nullptr}, {in_scratch(middle, order, computation.middle.bytes())}});
      halves.scratch_bytes = std::max(halves.scratch_bytes, bytes);
    }
  }
  halves.first_group.push_back(static_cast<int>(halves.near.cells.size()));
  halves.far.from = halves.near.to;
  return halves;
}

class DevicePlanePass : public Pass {
 public:
  DevicePlanePass(PassParts parts, Index group_bytes, Scratch& scratch,
                  const std::function<std::unique_ptr<Pass>(PassParts)>& make)
      : scratch_(scratch),
        runs_in_place_(parts.may_run_in_place()),
        traffic_bytes_(parts.traffic_bytes()) {
    Halves halves = halves_of(parts, group_bytes);
    first_group_ = std::move(halves.first_group);
    halves.near.from = std::move(parts.from);
    halves.far.to = std::move(parts.to);
    added_bytes_ = scratch.reserve(static_cast<std::size_t>(halves.scratch_bytes));
    near_ = make(std::move(halves.near));
    far_ = make(std::move(halves.far));
  }

  /// The scratch memory may have grown since the last run.
  void run(int cell, const std::function<void()>& poll) override {
    near_->bind_target(scratch_.data());
    far_->bind_source(scratch_.data());
    for (int group = first_group_[cell]; group < first_group_[cell + 1]; ++group) {
      near_->run(group, poll);
      far_->run(group, poll);
    }
  }

  void bind_source(const void* data) override { near_->bind_source(data); }
  void bind_target(void* data) override { far_->bind_target(data); }
  void bind_function(const RawLineFunction*) override {}
  void bind_scale(double scale) override { far_->bind_scale(scale); }
  bool may_run_in_place() const override { return runs_in_place_; }
  std::size_t buffer_bytes() const override {
    return added_bytes_ + near_->buffer_bytes() + far_->buffer_bytes();
  }
  std::size_t traffic_bytes() const override { return traffic_bytes_; }
  std::string describe() const override {
    return fmt::format("{} groups of planes, {}, then {}", first_group_.back(), near_->describe(),
                       far_->describe());
  }

 private:
  Scratch& scratch_;
  bool runs_in_place_;
  std::size_t traffic_bytes_;
  std::vector<int> first_group_;  // of each cell, and past the last one
  std::unique_ptr<Pass> near_;    // to the scratch memory
  std::unique_ptr<Pass> far_;     // from there
  std::size_t added_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Pass> make_device_plane_pass(
    PassParts parts, Index group_bytes, Scratch& scratch,
    const std::function<std::unique_ptr<Pass>(PassParts)>& make) {
  require_support(parts.spec);
  return std::make_unique<DevicePlanePass>(std::move(parts), group_bytes, scratch, make);
}

}  // namespace weft
