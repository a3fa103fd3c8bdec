// Arrays for the trial of a plan: temporary memory, or the plan's own arrays if it takes no others.
#pragma once

#include <array>

#include "machine/aligned_buffer.hpp"
#include "session/session.hpp"

namespace weft {

class TrialArrays {
 public:
  /// Collective; the contents are not set.
  explicit TrialArrays(Session& session);
  const RawArray& at(Side side) const { return arrays_[side == Side::input ? 0 : 1]; }

 private:
  std::array<AlignedBuffer, 2> memory_;
  std::array<RawArray, 2> arrays_;
};

}  // namespace weft
