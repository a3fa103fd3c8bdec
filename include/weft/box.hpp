// Half-open boxes of global indices: the only geometry in the library.
#pragma once

#include <string>
#include <weft/axes.hpp>

namespace weft {

/// The indices lower[a] <= i < upper[a] of every axis a. Empty where any extent is zero or less.
struct Box {
  Point lower;
  Point upper;

  /// The box of all indices of an array of that shape.
  static Box whole(const Shape& shape);

  int axes() const { return lower.size(); }
  Index extent(int axis) const { return upper[axis] - lower[axis]; }
  Shape extents() const;
  /// The number of indices inside; 0 where empty.
  Index volume() const;
  bool empty() const;
  bool contains(const Point& point) const;
  bool contains(const Box& other) const;

  friend bool operator==(const Box&, const Box&) = default;
};

/// The indices that are in both.
Box intersect(const Box& a, const Box& b);

/// "[0:128, 0:256, 0:129]", ranges half-open.
std::string to_string(const Box& box);

}  // namespace weft
