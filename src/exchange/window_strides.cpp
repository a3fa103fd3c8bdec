// Computes row padding of arrays that peers write directly.
#include "exchange/window_strides.hpp"

#include <vector>

#include "machine/cache_line.hpp"

namespace weft {
namespace {

// A row is padded only if this adds at most 1/padding_share of its bytes.
constexpr Index padding_share = 8;

Index padded_row(Index bytes) {
  const Index padded = odd_lines(bytes);
  return (padded - bytes) * padding_share <= bytes ? padded : bytes;
}

/// Byte strides by position in the order, and before them the size of the whole.
std::vector<Index> strides_by_position(const Geometry& geometry, int rank) {
  const Shape extents = geometry.to.box(rank).extents();
  std::vector<Index> strides(extents.size() + 1, geometry.element.bytes());
  for (int position = extents.size() - 1; position >= 0; --position) {
    const Index bytes = strides[position + 1] * extents[geometry.order[position]];
    const bool is_row = extents.size() - position == geometry.row_axes;
    strides[position] = is_row ? padded_row(bytes) : bytes;
  }
  return strides;
}

}  // namespace

PerAxis<Index> window_strides(const Geometry& geometry, int rank) {
  const std::vector<Index> by_position = strides_by_position(geometry, rank);
  auto strides = PerAxis<Index>::filled(geometry.order.size(), 0);
  for (int position = 0; position < geometry.order.size(); ++position)
    strides[geometry.order[position]] = by_position[position + 1];
  return strides;
}

std::size_t window_bytes(const Geometry& geometry, int rank) {
  return static_cast<std::size_t>(strides_by_position(geometry, rank).front());
}

}  // namespace weft
