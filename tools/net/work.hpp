// What is computed while an exchange is under way: real work in small units, none of which touches
// more memory than a cache holds.
#pragma once

#include <memory>
#include <vector>
#include <weft/box.hpp>

namespace weft::net {

class Work {
 public:
  virtual ~Work() = default;
  virtual void run(Index units) = 0;
  /// Floating-point operations of one unit.
  virtual double operations() const = 0;
  /// Depends on all that was computed; finite.
  virtual double result() const = 0;
};

/// Multiplications and additions in 4 KiB, some 100 ns a unit.
std::unique_ptr<Work> arithmetic();
/// Products of square matrices by OpenBLAS. Throws an Error where this build has none.
std::unique_ptr<Work> matrix_products(int rows);

}  // namespace weft::net
