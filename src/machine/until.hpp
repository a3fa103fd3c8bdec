// Waits for other ranks outside the run of a schedule: tries again, and lets other ranks run in
// between.
#pragma once

#include <limits>

#include "machine/clock.hpp"
#include "machine/retries.hpp"

namespace weft {

/// Tries `done()` until it returns true, for about `patience` seconds. Returns whether it did.
template <class Done>
bool until(Done&& done, double patience = std::numeric_limits<double>::infinity()) {
  const auto begin = Clock::now();
  for (Retries tries; !done(); tries.pause())
    if (seconds_between(begin, Clock::now()) > patience) return false;
  return true;
}

}  // namespace weft
