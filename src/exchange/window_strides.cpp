// Computes row padding of arrays that peers write directly.
#include "exchange/window_strides.hpp"

#include "machine/cache_line.hpp"

namespace weft {
namespace {

// A row is padded only if this adds at most 1/padding_share of its bytes.
constexpr Index padding_share = 8;

Index row_bytes(Index length, Index element_bytes) {
  const Index bytes = length * element_bytes;
  const Index padded = odd_lines(bytes);
  return (padded - bytes) * padding_share <= bytes ? padded : bytes;
}

/// Bytes from one row along the fastest axis to the next.
Index padded_row(const Geometry& geometry, int rank) {
  const Index length = geometry.to.box(rank).extents()[geometry.order.back()];
  const Index bytes = geometry.element.bytes();
  return geometry.padded ? row_bytes(length, bytes) : length * bytes;
}

}  // namespace

PerAxis<Index> window_strides(const Geometry& geometry, int rank) {
  const Shape extents = geometry.to.box(rank).extents();
  auto strides = PerAxis<Index>::filled(extents.size(), 0);
  strides[geometry.order.back()] = geometry.element.bytes();
  Index stride = padded_row(geometry, rank);
  for (int position = extents.size() - 2; position >= 0; --position) {
    strides[geometry.order[position]] = stride;
    stride *= extents[geometry.order[position]];
  }
  return strides;
}

std::size_t window_bytes(const Geometry& geometry, int rank) {
  const Shape extents = geometry.to.box(rank).extents();
  Index bytes = padded_row(geometry, rank);
  for (int position = 0; position + 1 < extents.size(); ++position)
    bytes *= extents[geometry.order[position]];
  return static_cast<std::size_t>(bytes);
}

}  // namespace weft
