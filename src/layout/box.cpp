// Arithmetic on boxes and shapes: half-open index ranges with at most max_axes axes, without
// allocation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <weft/box.hpp>

namespace weft {

Index volume(const Shape& shape) {
  Index result = 1;
  for (Index length : shape) result *= length;
  return result;
}

std::string to_string(const Shape& shape) { return fmt::format("{}", fmt::join(shape, "x")); }

Shape parse_shape(const std::string& text) {
  const auto fail = [&](const std::string& why) {
    throw Error(
        fmt::format("shape \"{}\": {}; valid is 1 to {} lengths joined by x, as 256x256x256", text,
                    why, max_axes));
  };
  Shape shape;
  const char* cursor = text.data();
  const char* const end = cursor + text.size();
  for (;;) {
    Index length = 0;
    const auto [next, status] = std::from_chars(cursor, end, length);
    if (status == std::errc::result_out_of_range) fail("a length does not fit 64 bits");
    if (status != std::errc{}) fail("a length is missing or not a number");
    if (length < 1) fail("a length is less than 1");
    if (shape.size() == max_axes) fail("too many axes");
    shape.push_back(length);
    if (next == end) return shape;
    if (*next != 'x') fail(fmt::format("'{}' is not expected", *next));
    cursor = next + 1;
  }
}

Box Box::whole(const Shape& shape) { return {Point::filled(shape.size(), 0), shape}; }

Shape Box::extents() const {
  Shape result;
  for (int axis = 0; axis < axes(); ++axis) result.push_back(std::max<Index>(0, extent(axis)));
  return result;
}

Index Box::volume() const { return weft::volume(extents()); }

bool Box::empty() const {
  // Without volume() and extent(), which may overflow for boxes that nobody has checked.
  for (int axis = 0; axis < axes(); ++axis)
    if (upper[axis] <= lower[axis]) return true;
  return false;
}

bool Box::contains(const Point& point) const {
  for (int axis = 0; axis < axes(); ++axis)
    if (point[axis] < lower[axis] || point[axis] >= upper[axis]) return false;
  return true;
}

bool Box::contains(const Box& other) const { return intersect(*this, other) == other; }

Box intersect(const Box& a, const Box& b) {
  Box result = a;
  for (int axis = 0; axis < a.axes(); ++axis) {
    result.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
    result.upper[axis] = std::max(result.lower[axis], std::min(a.upper[axis], b.upper[axis]));
  }
  return result;
}

std::string to_string(const Box& box) {
  std::string text = "[";
  for (int axis = 0; axis < box.axes(); ++axis)
    text += fmt::format("{}{}:{}", axis ? ", " : "", box.lower[axis], box.upper[axis]);
  return text + "]";
}

}  // namespace weft
