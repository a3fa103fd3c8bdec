// Random input that every rank can compute for any global index by itself, whatever the layout.
#pragma once

#include <complex>

#include "bench/candidate.hpp"

namespace weft::bench {

/// The value of forward's input at every global index, with real and imaginary part in [-1, 1). The
/// half spectrum of a c2r transform is that of a real array: its planes 0 and n/2 hold conjugate
/// pairs.
class InputValues {
 public:
  explicit InputValues(const Problem& problem);
  std::complex<double> at(const Point& point) const;

 private:
  Point mirror(const Point& point) const;

  const Problem& problem_;
  int halved_axis_ = -1;  ///< of a c2r transform
};

/// Fills a part of forward's input, so that all candidates transform the same array.
void fill_input(const Problem& problem, const Field& field);

/// The relative L2 distance of `field` from what fill_input writes, over all ranks. Collective.
double distance_from_input(const Problem& problem, const Field& field);

}  // namespace weft::bench
