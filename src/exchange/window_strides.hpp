// How a rank's incoming box lies in memory that peers write directly: one array with padded rows.
#pragma once

#include "exchange/geometry.hpp"

namespace weft {

/// Byte strides of the incoming array of `rank`. Long rows are padded to an odd number of cache
/// lines: rows start aligned for streaming stores, and columns do not fall into the same cache set.
/// Not padded if the geometry says so, because the array is then the caller's.
PerAxis<Index> window_strides(const Geometry& geometry, int rank);

/// Size of that array in bytes.
std::size_t window_bytes(const Geometry& geometry, int rank);

}  // namespace weft
