// An array whose spectrum is known without an FFT: a sum of two products of random lines, which
// differ for each axis. Every element tells where it belongs, so a block that arrives at another
// place is seen.
#pragma once

#include <complex>
#include <vector>
#include <weft/layout.hpp>

namespace weft::simulation {

using Number = std::complex<double>;

/// The same for the same shape.
class SeparableArray {
 public:
  explicit SeparableArray(const Shape& shape);

  /// Writes a rank's box of the array.
  void fill(const Layout& layout, int rank, Number* values) const;

  /// Squares of the differences from the exact spectrum, and of that spectrum, summed over a box.
  struct Squares {
    double error = 0;
    double spectrum = 0;
  };
  Squares compare(const Layout& layout, int rank, const Number* spectrum) const;

 private:
  using Lines = std::vector<std::vector<Number>>;  // by axis
  struct Product {
    Lines lines;
    Lines spectra;  // by the definition of the DFT
  };
  Product products_[2];
};

}  // namespace weft::simulation
