// How a rank's incoming box lies in memory that others write directly: one array, rows padded.
#pragma once

#include "exchange/geometry.hpp"

namespace weft {

/// Byte strides of the incoming array of `rank`. Long rows are padded to an odd number of cache
/// lines: rows start aligned for streamed stores, and columns do not crowd into one cache set.
/// Unpadded where the geometry says so, since the array is the caller's own.
PerAxis<Index> window_strides(const Geometry& geometry, int rank);

/// The bytes that array takes.
std::size_t window_bytes(const Geometry& geometry, int rank);

}  // namespace weft
