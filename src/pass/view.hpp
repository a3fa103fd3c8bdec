// A box of elements as it lies in memory: pieces, each a strided block at an address.
#pragma once

#include <cstddef>
#include <vector>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

namespace weft {

/// What one element is: its size, and the floating-point type that scaling acts on.
struct Element {
  Precision precision = Precision::double_;
  bool real = false;

  int real_bytes() const { return precision == Precision::double_ ? 8 : 4; }
  int components() const { return real ? 1 : 2; }
  Index bytes() const { return real_bytes() * components(); }
  friend bool operator==(const Element&, const Element&) = default;
};

/// Part of a box in memory; `base` holds the element at box.lower, strides are in bytes.
struct Piece {
  Box box;
  std::byte* base = nullptr;
  PerAxis<Index> strides;

  std::byte* address(const Point& point) const {
    Index offset = 0;
    for (int axis = 0; axis < box.axes(); ++axis)
      offset += (point[axis] - box.lower[axis]) * strides[axis];
    return base + offset;
  }
};

/// A box as pieces that together cover it once. A user's array is one piece; a send buffer has one
/// per destination, shared memory one per peer.
struct View {
  std::vector<Piece> pieces;
};

/// The strides, in bytes, of a contiguous box in a memory order.
inline PerAxis<Index> byte_strides(const Shape& extents, const Order& order, Index element_bytes) {
  auto strides = strides_of(extents, order);
  for (Index& stride : strides) stride *= element_bytes;
  return strides;
}

}  // namespace weft
