// Short lists with one entry per axis, kept inline because planning handles one box for every rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <weft/error.hpp>
#include <weft/export.hpp>

namespace weft {

/// The type of every size, index and offset: 64 bits, signed so that differences are safe.
using Index = std::int64_t;

/// The largest number of axes of an array.
inline constexpr int max_axes = 8;

/// One value per axis, at most `max_axes` of them; a value type like `std::array` with a length.
template <class T>
class PerAxis {
 public:
  /// A list of no axes.
  PerAxis() = default;
  /// One entry per axis: {256, 256, 256}. Throws an Error where there are more than max_axes.
  PerAxis(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  /// The entries of a range, with the same limit.
  template <std::input_iterator Iterator>
  PerAxis(Iterator first, Iterator last) {
    assign(first, last);
  }

  /// `count` copies of `value`.
  static PerAxis filled(int count, T value) {
    PerAxis result;
    for (int axis = 0; axis < count; ++axis) result.push_back(value);
    return result;
  }

  /// Adds an entry for one more axis; an Error where there are max_axes already.
  void push_back(T value) {
    if (count_ == max_axes) throw Error("an array has more than 8 axes; 1 to 8 are supported");
    values_[static_cast<std::size_t>(count_++)] = value;
  }

  /// The number of axes: an int, like all axis numbers.
  int size() const { return count_; }
  /// True where there is no axis.
  bool empty() const { return count_ == 0; }
  /// The entry of an axis, 0 to size() - 1 (not checked).
  T& operator[](int axis) { return values_[static_cast<std::size_t>(axis)]; }
  /// The same, read only.
  const T& operator[](int axis) const { return values_[static_cast<std::size_t>(axis)]; }
  /// The entry of the last axis (not checked that there is one).
  T& back() { return (*this)[count_ - 1]; }
  /// The same, read only.
  const T& back() const { return (*this)[count_ - 1]; }
  /// Iterators over the entries, in the order of axes.
  auto begin() { return values_.begin(); }
  /// Past the last entry.
  auto end() { return values_.begin() + count_; }
  /// The same, read only.
  auto begin() const { return values_.begin(); }
  /// Behind the last entry, read only.
  auto end() const { return values_.begin() + count_; }

  /// Equal if the numbers of axes and all entries are equal.
  friend bool operator==(const PerAxis& a, const PerAxis& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    const auto count = std::distance(first, last);
    if (count > max_axes) throw Error("an array has more than 8 axes; 1 to 8 are supported");
    std::copy(first, last, values_.begin());
    count_ = static_cast<int>(count);
  }

  std::array<T, max_axes> values_{};
  int count_ = 0;
};

/// The lengths of an array, slowest axis first as in C and NumPy.
using Shape = PerAxis<Index>;
/// A global index: one coordinate per axis.
using Point = PerAxis<Index>;
/// A memory order: the axes from the slowest to the fastest ({0, 1, 2} is C order).
using Order = PerAxis<int>;

/// The product of the lengths; 1 for no axes.
WEFT_API Index volume(const Shape& shape);

/// "256x256x129".
WEFT_API std::string to_string(const Shape& shape);

/// Parses "256x256x256"; throws an `Error` that names the mistake.
WEFT_API Shape parse_shape(const std::string& text);

}  // namespace weft
