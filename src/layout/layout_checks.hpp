// Judges the arguments that layouts are made from; each check throws an Error that names the valid
// values, so that the rest of the library need not look again.
#pragma once

#include <vector>
#include <weft/box.hpp>

namespace weft {

/// Bytes of 16-byte elements must fit the signed 64-bit offsets used everywhere.
constexpr __int128 most_elements = static_cast<__int128>(1) << 58;

/// Lets Layout::box() use a fixed array. More are never needed: fewer than 2^31 ranks fill at most
/// 30 dimensions whose count is above 1.
constexpr std::size_t most_dimensions = 32;

void check_shape(const Shape& global);
void check_grid(const std::vector<int>& grid);
void check_split(const Shape& global, const std::vector<int>& grid,
                 const PerAxis<std::vector<int>>& split);
void check_disjoint(const std::vector<Box>& boxes);
/// The axis, counted from the first one.
int checked_axis(const Shape& global, int axis, const char* form);
void check_entries(const PerAxis<Index>& entries, int axes, Index least, const char* name);

}  // namespace weft
