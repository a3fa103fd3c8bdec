// A box of elements as it lies in memory: strided pieces, counted from a few bases, so that a view
// moves to other memory by one store.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

namespace weft {

/// What one element is: its size, the floating-point type that scaling acts on, and the shorter
/// form that it may have between ranks.
struct Element {
  Precision precision = Precision::double_;
  bool real = false;
  Wire wire = Wire::exact;

  int real_bytes() const {
    if (wire == Wire::exact) return precision == Precision::double_ ? 8 : 4;
    return wire == Wire::single_ ? 4 : 2;
  }
  int components() const { return real ? 1 : 2; }
  Index bytes() const { return real_bytes() * components(); }
  friend bool operator==(const Element&, const Element&) = default;
};

/// Part of a box as it lies behind one of a view's bases: the element at box.lower is `offset`
/// bytes from it; strides are in bytes.
struct Piece {
  Box box;
  Index offset = 0;
  PerAxis<Index> strides;
  int base = 0;  ///< its number in View::bases

  /// Bytes from the base to an element.
  Index offset_of(const Point& point) const {
    Index bytes = offset;
    for (int axis = 0; axis < box.axes(); ++axis)
      bytes += (point[axis] - box.lower[axis]) * strides[axis];
    return bytes;
  }
};

/// Where pieces are many: the numbers of those that reach into each coordinate of an axis, from
/// `first` on.
struct PieceIndex {
  int axis = -1;
  Index first = 0;
  std::vector<std::vector<int>> numbers;
};

/// A box as pieces that cover it once, but for dropped modes. A user's array is one piece; a send
/// buffer has one per destination, shared memory one per peer; columns of kept modes are many.
/// Pieces that lie in one stretch of memory share a base: shared memory has one per peer, all else
/// one or two.
struct View {
  std::vector<std::byte*> bases;  ///< null where memory is bound later
  std::vector<Piece> pieces;
  PieceIndex index = {};

  /// Where the element at that point lies, one of the piece's.
  std::byte* address(const Piece& piece, const Point& point) const {
    return bases[piece.base] + piece.offset_of(point);
  }

  /// Moves a view of a single base to other memory.
  void bind(std::byte* base) { bases.front() = base; }

  /// Adds the boxes of an array, which is behind one of the bases.
  void add(const Piece& array, const std::vector<Box>& boxes);

  /// Finds an axis for the index, where there are pieces enough to be worth it.
  void make_index();

  /// Calls visit(piece, part) for every piece and its part in the box that is not empty.
  template <class Visit>
  void for_each_in(const Box& box, Visit&& visit) const;

  /// The elements of the box that some piece holds.
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

/// What a pass must know of the views that it reads, or of those that it writes.
struct Access {
  Wire wire = Wire::exact;  ///< the form in which they hold elements
  bool sparse = false;      ///< of their boxes some elements were dropped, and are zero
};

/// Boxes of an array in that memory.
View view_of(std::byte* base, const Piece& array, const std::vector<Box>& boxes);

/// The strides, in bytes, of a contiguous box in a memory order.
inline PerAxis<Index> byte_strides(const Shape& extents, const Order& order, Index element_bytes) {
  auto strides = strides_of(extents, order);
  for (Index& stride : strides) stride *= element_bytes;
  return strides;
}

}  // namespace weft
