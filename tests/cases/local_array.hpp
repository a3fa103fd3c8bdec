// One rank's part of an array for the tests: memory that detects writes outside it, filled from a
// whole array and compared with one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>
#include <weft/array.hpp>

#include "truth/truth.hpp"

namespace weft::test {

/// Bytes between two guards that must never change. `offset` moves them off a cache line's start: a
/// user's array is aligned to its elements and no more.
class GuardedMemory {
 public:
  GuardedMemory(std::size_t bytes, std::size_t offset);
  void* data();
  bool intact() const;

 private:
  std::vector<std::byte> memory_;
  std::size_t begin_;
  std::size_t bytes_;
};

/// Where a rank's elements lie, whatever their type.
struct Place {
  Box box;
  PerAxis<Index> strides;
  std::shared_ptr<const IndexLists> indices = nullptr;  ///< see index_lists
};

inline Place place_of(const Layout& layout, int rank) {
  return {layout.box(rank), layout.strides(rank), index_lists(layout, rank)};
}

inline Index span_of(const Place& place) { return memory_span(place.box.extents(), place.strides); }

/// Every byte 0xff: not a number in either precision.
inline void poison(void* data, std::size_t bytes) {
  if (bytes > 0) std::memset(data, 0xff, bytes);
}

/// The errors on this rank: the sums for a relative L2 error, and the worst element in words.
struct Deviation {
  double error_squared = 0;
  double norm_squared = 0;
  std::string worst;
};

template <class T>
T converted(const Exact& value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value.real());
  else
    return static_cast<T>(value);
}

/// A handle for at() and for_each() on any memory.
template <class T>
Array<T> array_at(T* data, const Place& place) {
  return {std::shared_ptr<void>(std::shared_ptr<void>(), data), place.box, place.strides, nullptr,
          place.indices};
}

template <class T>
void fill(T* data, const Place& place, const Global& whole) {
  array_at(data, place).fill([&](const Point& point) { return converted<T>(whole.at(point)); });
}

/// Whether the gaps between elements, poisoned before a transform, are still poisoned.
template <class T>
bool gaps_are_poisoned(const T* data, const Place& place) {
  std::vector<T> copy(data, data + span_of(place));
  array_at(copy.data(), place).for_each([](const Point&, T& element) {
    poison(&element, sizeof(T));
  });
  const auto* const bytes = reinterpret_cast<const unsigned char*>(copy.data());
  return std::all_of(bytes, bytes + copy.size() * sizeof(T),
                     [](unsigned char byte) { return byte == 0xff; });
}

std::string describe_difference(const Point& point, const Exact& found, const Exact& expected);

template <class T>
Deviation deviation(T* data, const Place& place, const Global& expected) {
  Deviation result;
  long double error_squared = 0, norm_squared = 0, worst = -1;
  array_at(data, place).for_each([&](const Point& point, const T& element) {
    const Exact found(element);
    const Exact right = expected.at(point);
    const long double error = std::norm(found - right);
    error_squared += error;
    norm_squared += std::norm(right);
    if (error <= worst) return;  // written so that NaN counts as worst
    worst = error;
    if (error > 0 || error != error) result.worst = describe_difference(point, found, right);
  });
  result.error_squared = static_cast<double>(error_squared);
  result.norm_squared = static_cast<double>(norm_squared);
  return result;
}

}  // namespace weft::test
