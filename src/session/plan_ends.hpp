// The two ends of a plan: the end that a direction reads, the end that it writes, and this rank's
// arrays at each end.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <weft/fields.hpp>

#include "call/array_checks.hpp"
#include "plan/route.hpp"

namespace weft {

/// The end of the plan whose array a direction reads.
inline Side source_of(Direction direction) {
  return direction == Direction::forward ? Side::input : Side::output;
}
/// The end of the plan whose array a direction writes.
inline Side target_of(Direction direction) { return source_of(reverse(direction)); }

/// The direction that writes the array at that end.
inline Direction delivering_to(Side side) {
  return side == Side::output ? Direction::forward : Direction::backward;
}

class PlanEnds {
 public:
  /// All three must outlive it.
  PlanEnds(const Routes& routes, int rank, const Device& device)
      : routes_(routes), rank_(rank), device_(device) {}

  const Layout& layout(Side side) const {
    return side == Side::input ? routes_.input : routes_.output;
  }
  const Element& element(Side side) const {
    return side == Side::input ? routes_.input_element : routes_.output_element;
  }
  ElementType type(Side side) const {
    return {element(side).precision, element(side).real, element(side).plain_bytes};
  }
  /// Bytes of this rank's part of the array, gaps included.
  std::size_t bytes(Side side) const {
    return static_cast<std::size_t>(layout(side).allocated(rank_) * element(side).bytes());
  }
  ArrayMemory memory(Side side) const { return memory_of(layout(side), rank_, element(side)); }
  /// The arrays of a call, for `check_arrays`.
  ArrayEnd with(Side side, std::span<const RawArray> fields) const {
    return {fields, type(side), memory(side), device_};
  }
  /// Throws unless the array has elements of this type. `what` names them for the message.
  void check_type(Side side, ElementType given, const std::string& what) const {
    check_element_type(what, given, type(side));
  }
  int rank() const { return rank_; }

 private:
  const Routes& routes_;
  int rank_;
  const Device& device_;
};

}  // namespace weft
