// The cache line: what memory moves in, and what strides are padded by.
#pragma once

#include <cstdint>

namespace weft {

/// Bytes of a cache line, as on every machine that Weft is tuned for. A wrong one costs speed only.
inline constexpr std::int64_t line_bytes = 64;

/// At least so many bytes: whole cache lines, and an odd number of them, so that rows this far
/// apart start aligned and do not crowd into one cache set.
constexpr std::int64_t odd_lines(std::int64_t bytes) {
  return ((bytes + line_bytes - 1) / line_bytes | 1) * line_bytes;
}

}  // namespace weft
