// The cache line size, which strides are padded to. It is a constant rather than detected, so that
// the compiler can use it.
#pragma once

#include <cstdint>

namespace weft {

/// Bytes of a cache line on every machine that Weft is tuned for. A wrong value only costs speed.
inline constexpr std::int64_t line_bytes = 64;

/// Rounds up to an odd number of cache lines. Rows this far apart start aligned, and do not all map
/// to one cache set.
constexpr std::int64_t odd_lines(std::int64_t bytes) {
  return ((bytes + line_bytes - 1) / line_bytes | 1) * line_bytes;
}

}  // namespace weft
