// A field whose transform is known everywhere: a product of one random vector for each axis, whose
// transform is the product of theirs. So a spectrum is checked number by number, without a second
// FFT and without gathering it, for every kind, layout and library.
#pragma once

#include <complex>
#include <vector>

#include "bench/candidate.hpp"

namespace weft::bench {

/// The same on all ranks, each of which can compute any of its numbers.
class ProductField {
 public:
  /// Forward's input, exact in double (and in float up to three axes): what all candidates
  /// transform. That of a c2r transform is the half spectrum of a real array.
  static ProductField input(const Problem& problem);
  /// What forward without a scale makes of it, by direct sums along each axis.
  static ProductField output(const Problem& problem);

  /// Fills this rank's part.
  void fill(const Field& field) const;
  /// The relative L2 distance of `field` from `factor` times this one, over all ranks. Collective.
  double distance(const Field& field, MPI_Comm communicator, double factor = 1) const;

 private:
  using Value = std::complex<long double>;

  std::vector<std::vector<Value>> axes_;
};

/// 5 eps sqrt(max(1, log2 N)): the relative L2 error that a sound transform of N elements stays
/// below.
double error_bound(const Problem& problem);

}  // namespace weft::bench
