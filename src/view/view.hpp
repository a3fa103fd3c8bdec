// Describes a box of elements in memory as strided pieces relative to a few bases. A view moves to
// other memory by changing a base; in return, each address costs one more addition.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>
#include <weft/layout.hpp>
#include <weft/transform.hpp>
#include <weft/wire.hpp>

namespace weft {

/// The type of an element: its precision, whether it is real, and the shorter form that it may have
/// while ranks send it; or only its bytes.
struct Element {
  Precision precision = Precision::double_;
  bool real = false;
  Wire wire = Wire::exact;
  int plain_bytes = 0;  ///< of elements that are only moved, as real ones; 0: numbers

  int real_bytes() const {
    if (wire == Wire::exact) return precision == Precision::double_ ? 8 : 4;
    return wire == Wire::single_ ? 4 : 2;
  }
  int components() const { return real ? 1 : 2; }
  Index bytes() const { return plain_bytes > 0 ? plain_bytes : real_bytes() * components(); }
  friend bool operator==(const Element&, const Element&) = default;
};

/// A part of a box relative to one of a view's bases: the element at box.lower is `offset` bytes
/// from the base; strides are in bytes.
struct Piece {
  Box box;
  Index offset = 0;
  PerAxis<Index> strides;
  int base = 0;  ///< index in View::bases

  /// Bytes from the base to an element.
  Index offset_of(const Point& point) const {
    Index bytes = offset;
    for (int axis = 0; axis < box.axes(); ++axis)
      bytes += (point[axis] - box.lower[axis]) * strides[axis];
    return bytes;
  }
};

/// For views with many pieces: the pieces at each coordinate of an axis. Coordinates begin at
/// `first`.
struct PieceIndex {
  int axis = -1;
  Index first = 0;
  std::vector<std::vector<int>> numbers;
};

/// A box as pieces that cover it exactly once, except for dropped modes. A user's array is one
/// piece, a send buffer has one per destination, shared memory one per peer, and columns of kept
/// modes are many. Pieces in the same allocation share a base. Shared memory has a base per peer,
/// everything else has one or two.
struct View {
  std::vector<std::byte*> bases;  ///< null if the memory is bound later
  std::vector<Piece> pieces;
  PieceIndex index = {};

  /// The address of the element at `point`, which must be in the piece.
  std::byte* address(const Piece& piece, const Point& point) const {
    return bases[piece.base] + piece.offset_of(point);
  }

  /// Moves a view of a single base to other memory.
  void bind(std::byte* base) { bases.front() = base; }

  /// Adds boxes of an array that is addressed relative to one of the bases.
  void add(const Piece& array, const std::vector<Box>& boxes);

  /// Builds the index if there are enough pieces to make it worthwhile.
  void make_index();

  /// Calls visit(piece, part) for every piece that overlaps the box; `part` is the overlap.
  template <class Visit>
  void for_each_in(const Box& box, Visit&& visit) const;

  /// The number of elements of the box that some piece holds.
  Index covered(const Box& box) const;
};

template <class Visit>
void View::for_each_in(const Box& box, Visit&& visit) const {
  if (index.axis < 0) {
    for (const Piece& piece : pieces)
      if (const Box part = intersect(box, piece.box); !part.empty()) visit(piece, part);
    return;
  }
  const int axis = index.axis;
  const auto end = index.first + static_cast<Index>(index.numbers.size());
  const auto begin = std::max(box.lower[axis], index.first);
  for (Index at = begin; at < std::min(box.upper[axis], end); ++at)
    for (const int number : index.numbers[at - index.first]) {
      const Piece& piece = pieces[number];
      if (at != std::max(begin, piece.box.lower[axis])) continue;  // visited before
      if (const Box part = intersect(box, piece.box); !part.empty()) visit(piece, part);
    }
}

/// Properties of all views that a pass reads, or of all views that it writes.
struct Access {
  Wire wire = Wire::exact;  ///< the form in which they hold elements
  bool sparse = false;      ///< pieces do not cover the box; missing elements are zero
};

/// A view of the given boxes of an array at `base`.
View view_of(std::byte* base, const Piece& array, const std::vector<Box>& boxes);

/// The strides, in bytes, of a contiguous box in a memory order.
inline PerAxis<Index> byte_strides(const Shape& extents, const Order& order, Index element_bytes) {
  auto strides = strides_of(extents, order);
  for (Index& stride : strides) stride *= element_bytes;
  return strides;
}

}  // namespace weft
