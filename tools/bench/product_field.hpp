// A field whose transform is known everywhere: the product of one random vector per axis, whose
// transform is the product of the vectors' transforms. So each number of a spectrum can be checked
// without a second FFT and without gathering it, for every kind, layout and library.
#pragma once

#include <complex>
#include <vector>

#include "bench/candidate.hpp"

namespace weft::bench {

/// The same on all ranks; each can compute any element.
class ProductField {
 public:
  /// Forward's input, exact in double (and in float up to three axes), which all candidates
  /// transform. For c2r it is the half spectrum of a real array.
  static ProductField input(const Problem& problem);
  /// The result of forward without a scale, by direct sums along each axis.
  static ProductField output(const Problem& problem);

  /// Fills this rank's part of the array.
  void fill(const Field& field) const;
  /// The relative L2 distance of `field` from `factor` times this one, over all ranks. Collective.
  double distance(const Field& field, MPI_Comm communicator, double factor = 1) const;

 private:
  using Value = std::complex<long double>;

  std::vector<std::vector<Value>> axes_;
};

/// 5 eps sqrt(max(1, log2 N)): an upper bound of the relative L2 error of a correct transform of N
/// elements.
double error_bound(const Problem& problem);

}  // namespace weft::bench
