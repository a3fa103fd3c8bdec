// The correct results of a transform, from the definitions: plain matrices in long double for short
// axes, FFTW in one process for long ones. Slow and simple on purpose, and independent of
// everything in src/.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>
#include <weft/transform.hpp>

namespace weft::test {

using Exact = std::complex<long double>;

/// A whole array in C order; every rank that needs the array holds all of it.
struct Global {
  Shape shape;
  std::vector<Exact> values;

  const Exact& at(const Point& point) const;
};

/// The shapes of the arrays that the plan's forward reads and writes (for c2r the spectrum
/// comes first).
Shape input_shape(const Transform& transform);
Shape output_shape(const Transform& transform);
bool input_is_real(const Transform& transform);
bool output_is_real(const Transform& transform);

/// The plan's forward and backward of a whole array, scaled by the transform's rule.
Global forward_truth(const Transform& transform, const Global& input);
Global backward_truth(const Transform& transform, const Global& output);

/// The same by matrices or by FFTW only, to test one against the other. Null without FFTW.
Global forward_by_matrices(const Transform& transform, const Global& input);
std::unique_ptr<Global> forward_by_fftw(const Transform& transform, const Global& input);

/// Random numbers in [-1, 1) that the transform's precision represents exactly and that depend only
/// on index and seed. For c2r: a spectrum that belongs to a real array.
Global random_input(const Transform& transform, std::uint64_t seed);

/// An input with its output, both as the plan's arrays may hold them; computed once and remembered.
struct TruthPair {
  Global input;
  Global output;
  Global output_with_noise;  ///< like output, with large values in place of dropped modes
  Global restored;           ///< backward of output: the input without the dropped modes
  /// How much smaller the spectrum became by dropping modes; rounding errors did not shrink.
  double amplification = 1;
};
std::shared_ptr<const TruthPair> truth_of(const Transform& transform, std::uint64_t seed);

/// True if matrices would be too slow and FFTW is missing.
bool truth_is_out_of_reach(const Transform& transform);

/// The largest relative L2 error allowed: 5 eps sqrt(max(1, log2 N)), N over the transformed axes.
double error_bound(const Transform& transform);

/// A well-mixed function of 64 bits (splitmix64's finaliser).
std::uint64_t mixed(std::uint64_t value);

}  // namespace weft::test
