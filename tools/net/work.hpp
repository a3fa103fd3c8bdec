// The work done during an exchange: real work in small units, each of which uses less memory than a
// cache holds.
#pragma once

#include <memory>
#include <weft/box.hpp>

#include "tune/samples.hpp"

namespace weft::net {

class Work {
 public:
  virtual ~Work() = default;
  virtual void run(Index units) = 0;
  /// Floating-point operations of one unit.
  virtual double operations() const = 0;
  /// Depends on all results; finite.
  virtual double result() const = 0;
};

/// Multiplications and additions on 4 KiB, about 100 ns per unit.
std::unique_ptr<Work> arithmetic();
/// Products of square matrices by OpenBLAS. Throws an Error if this build has no OpenBLAS.
std::unique_ptr<Work> matrix_products(int rows);

/// (exchange + compute - both) / min(exchange, compute): 1 if the shorter of the two costs nothing,
/// 0 if they run one after the other; less if the attempt costs more than it gains.
double overlap(const Samples& exchange, const Samples& compute, const Samples& both);

}  // namespace weft::net
