// Counts heap allocations by the library and by everything it calls.
#pragma once

#include <cstddef>

namespace weft::test {

/// In bytes: the largest allocation, and the most that was live at once.
struct Allocations {
  std::size_t largest = 0;
  std::size_t most_live = 0;
};

/// Counts during its lifetime; only one may exist at a time.
class CountedAllocations {
 public:
  CountedAllocations();
  ~CountedAllocations();
  CountedAllocations(const CountedAllocations&) = delete;
  CountedAllocations& operator=(const CountedAllocations&) = delete;
  Allocations so_far() const;
  /// False if the C library's functions cannot be replaced, or belong to a sanitizer.
  static bool possible();
};

}  // namespace weft::test
