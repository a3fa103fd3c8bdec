// The one clock that Weft reads, so that a simulator or a test can install its own.
#pragma once

#include <chrono>

namespace weft {

/// A clock in the sense of std::chrono.
struct Clock {
  using duration = std::chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr bool is_steady = true;

  static time_point now();
};

/// Seconds from one time to another.
inline double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// The clock to read from now on, for the whole process; null restores the machine's.
void use_clock(Clock::time_point (*now)());

}  // namespace weft
