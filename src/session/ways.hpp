// The programs of both directions for each kind of array, and the plan's own arrays at both ends.
// Own arrays lie in windows if peers can deliver into them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "plan/program.hpp"
#include "session/device_copies.hpp"
#include "session/plan_ends.hpp"
#include "session/planned_request.hpp"
#include "session/resources.hpp"
#include "session/transform_call.hpp"

namespace weft {

class Ways {
 public:
  /// All three must outlive it.
  Ways(const PlannedRequest& plan, const PlanEnds& ends, Resources& resources)
      : plan_(plan), ends_(ends), resources_(resources) {}

  /// Collective, once, before anything else. With arrays=plan, a direction that can deliver has no
  /// other program, and needs no windows for another.
  void make_programs();

  /// Whether peers deliver the result into the plan's own array.
  bool delivers(const TransformCall& call) const;
  /// Null if the plan has no program for these arrays.
  Program* program_for(const TransformCall& call) const;
  /// The program for the call's arrays, bound to them. `overlapped`: whether other work may happen
  /// while its blocks are in flight.
  Program& bind(const TransformCall& call, int first_field, bool overlapped);
  /// Returns when the field's result is in the caller's array.
  void deliver(std::size_t field) { device_copies_.deliver(field); }
  /// The input, or a copy of it where a single pass would overwrite it before it is read.
  const void* staged(const Program& program, std::size_t field, const void* in, const void* out,
                     std::size_t bytes);
  Program& forward_program() const;
  /// Whether both directions may begin and end in arrays that are not the plan's own.
  bool take_any_arrays() const { return ways_[0].to_any && ways_[1].to_any; }

  bool has_own_array(Side side) const { return way(delivering_to(side)).own_array() != nullptr; }
  /// The plan's own array at one end, which lives as long as the ways. Collective on first use.
  RawArray own_array(Side side);

  /// Bytes of own arrays and copies; windows belong to `Resources`.
  std::size_t bytes() const;
  std::size_t tile_bytes() const;
  /// No program runs afterwards on this rank: frees the memory that no other rank uses.
  void retire();

 private:
  struct Way {
    std::unique_ptr<Program> to_any;      // results go to any array
    std::unique_ptr<Program> to_own;      // peers deliver into the plan's array
    std::optional<ProgramPlan> delivery;  // the plan of to_own, if it is planned already
    std::shared_ptr<SharedSlot> window;
    Memory memory;
    std::byte* own_array() const { return window ? window->own() : memory.data(); }
  };

  Way& way(Direction direction) { return ways_[direction == Direction::forward ? 0 : 1]; }
  const Way& way(Direction direction) const {
    return ways_[direction == Direction::forward ? 0 : 1];
  }
  const Options& options() const { return plan_.request.options; }
  void make_own_array(Direction direction);

  const PlannedRequest& plan_;
  const PlanEnds& ends_;
  Resources& resources_;
  std::array<Way, 2> ways_;
  DeviceCopies device_copies_{resources_.device()};
  std::vector<Memory> staging_;  // by field
};

}  // namespace weft
