// Splits a line's length into radices, and holds the constants that follow from them. A kernel
// needs no other data about a length, on any processor.
#pragma once

#include <vector>
#include <weft/axes.hpp>

namespace weft {

/// Whether a length is a product of primes up to 13, whose butterflies are written out.
bool is_smooth(Index length);
bool is_prime(Index length);
/// The smooth length, not less than `least` and at most a quarter longer, whose FFT takes the
/// fewest instructions.
Index fastest_length_from(Index least, int largest_radix);

/// One stage of an FFT by decimation in frequency, in place. In each block, elements b + a * span
/// for a = 0 ... radix - 1 become their DFT. Output q is then multiplied by w^(b q), where w =
/// exp(-2 pi i / (radix * span)).
struct RadixStage {
  int radix = 1;
  Index span = 1;    ///< butterflies in a block, and the distance of the elements of each
  Index blocks = 1;  ///< of radix * span elements
};

/// A smooth length as stages, the largest radix first.
struct LanePlan {
  Index length = 1;
  std::vector<RadixStage> stages;
  /// In place, output k ends in slot_of[k]: its digits in the stages' radices, reversed.
  std::vector<Index> slot_of;
};

/// `largest_radix`: 8 or 16, for powers of two. Radix 16 needs 32 vector registers.
LanePlan make_lane_plan(Index length, int largest_radix);

/// The constants w^(b q) of a stage: cosine and sine of each, in the order of b and q = 1 ...
/// radix - 1.
template <class Real>
std::vector<Real> twiddles(const RadixStage& stage);

/// exp(-2 pi i k / n): cosine and sine, to the last bit of a double.
struct Root {
  double cosine;
  double sine;
};
Root root_of_unity(Index k, Index n);

}  // namespace weft
