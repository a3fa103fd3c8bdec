// Short lists with one entry per axis, kept inline because planning handles one box for every rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <weft/error.hpp>

namespace weft {

/// Every size, index and offset: 64 bits, signed so that differences are safe.
using Index = std::int64_t;

/// The largest number of axes of an array.
inline constexpr int max_axes = 6;

/// One value per axis, at most `max_axes` of them; a value type like `std::array` with a length.
template <class T>
class PerAxis {
 public:
  PerAxis() = default;
  PerAxis(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
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

  void push_back(T value) {
    if (count_ == max_axes) throw Error("an array has more than 6 axes; 1 to 6 are supported");
    values_[count_++] = value;
  }

  int size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T& operator[](int axis) { return values_[axis]; }
  const T& operator[](int axis) const { return values_[axis]; }
  T& back() { return values_[count_ - 1]; }
  const T& back() const { return values_[count_ - 1]; }
  auto begin() { return values_.begin(); }
  auto end() { return values_.begin() + count_; }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.begin() + count_; }

  friend bool operator==(const PerAxis& a, const PerAxis& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    const auto count = std::distance(first, last);
    if (count > max_axes) throw Error("an array has more than 6 axes; 1 to 6 are supported");
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

/// The product of the lengths.
Index volume(const Shape& shape);

/// "256x256x129".
std::string to_string(const Shape& shape);

/// Parses "256x256x256"; throws `Error` naming what is wrong.
Shape parse_shape(const std::string& text);

}  // namespace weft
