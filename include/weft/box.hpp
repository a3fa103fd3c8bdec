// Half-open boxes of global indices: the only geometry in the library.
#pragma once

#include <string>
#include <weft/axes.hpp>
#include <weft/export.hpp>

namespace weft {

/// The indices lower[a] <= i < upper[a] of every axis a. Empty where any extent is zero or less.
struct WEFT_API Box {
  Point lower;  ///< the first index along each axis
  Point upper;  ///< the first index beyond, along each axis

  /// The box of all indices of an array of that shape.
  static Box whole(const Shape& shape);

  /// The number of axes.
  int axes() const { return lower.size(); }
  /// The number of indices along one axis; zero or less where the box is empty.
  Index extent(int axis) const { return upper[axis] - lower[axis]; }
  /// The number of indices along every axis.
  Shape extents() const;
  /// The number of indices inside; 0 where empty.
  Index volume() const;
  /// Whether there is no index inside.
  bool empty() const;
  /// True where the point lies inside.
  bool contains(const Point& point) const;
  /// True where all of the other box lies inside (of an empty one, its corners).
  bool contains(const Box& other) const;

  /// Equal if both corners are equal; empty boxes with different corners differ.
  friend bool operator==(const Box&, const Box&) = default;
};

/// The indices that are in both boxes.
WEFT_API Box intersect(const Box& a, const Box& b);

/// "[0:128, 0:256, 0:129]", ranges half-open.
WEFT_API std::string to_string(const Box& box);

/// Calls visit(index along each axis, place in memory) for the first element of every line along
/// the last axis of a box with these extents.
template <class Visit>
void for_each_line(const Shape& extents, const PerAxis<Index>& strides, Visit&& visit) {
  if (volume(extents) == 0) return;
  Point at = Point::filled(extents.size(), 0);
  for (Index offset = 0;;) {
    visit(static_cast<const Point&>(at), offset);
    int axis = extents.size() - 2;
    for (; axis >= 0; --axis) {
      offset += strides[axis];
      if (++at[axis] < extents[axis]) break;
      offset -= extents[axis] * strides[axis];
      at[axis] = 0;
    }
    if (axis < 0) return;
  }
}

}  // namespace weft
