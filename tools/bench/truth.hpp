// Checks a spectrum without a second FFT and without gathering it: random sums over all its modes,
// each of which is known exactly from the input. Cheap at any size, for every kind, layout and
// library.
#pragma once

#include <complex>
#include <vector>

#include "bench/candidate.hpp"

namespace weft::bench {

/// Rank-one weights r(k) = r0(k0) r1(k1) ..., several sets at once: sum over k of r(k) X(k) has the
/// expectation 0 and the variance ||X||^2, for any X. Stored axis by axis, sets fastest.
class Weights {
 public:
  static constexpr int sets = 8;
  using Axis = std::vector<std::complex<double>>;

  explicit Weights(std::vector<Axis> axes) : axes_(std::move(axes)) {}
  const std::complex<double>* at(int axis, Index index) const {
    return axes_[axis].data() + index * sets;
  }

 private:
  std::vector<Axis> axes_;
};

/// What the output of the transform of `fill_input`'s array must be.
class Truth {
 public:
  /// Sums over the whole input, which the ranks share. Collective.
  explicit Truth(const Problem& problem);

  /// The relative L2 error of a candidate's output, whose transform is `factor` times the unscaled
  /// one: an unbiased estimate from `Weights::sets` random sums over all modes. Collective.
  double error(const Field& output, double factor = 1.0) const;

 private:
  using Sums = std::vector<std::complex<long double>>;

  const Problem& problem_;
  Weights output_weights_;
  Sums expected_;
};

/// 5 eps sqrt(max(1, log2 N)): the relative L2 error that a sound transform of N elements stays
/// below.
double error_bound(const Problem& problem);

}  // namespace weft::bench
