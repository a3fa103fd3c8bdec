// Splits lengths into as few stages as possible, because each stage goes through the tile once.
#include "kernel/lane_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weft {
namespace {

constexpr std::array odd_radices{13, 11, 7, 5, 3};

/// 2^bits as radices of about the same size.
std::vector<int> radices_of_two(int bits, int largest_radix) {
  const int most = largest_radix == 16 ? 4 : 3;
  const int count = (bits + most - 1) / most;
  std::vector<int> radices;
  for (int i = 0; i < count; ++i) radices.push_back(1 << (bits / count + (i < bits % count)));
  return radices;
}

std::vector<int> radices_of(Index length, int largest_radix) {
  int bits = 0;
  for (; length % 2 == 0; length /= 2) ++bits;
  std::vector<int> radices = radices_of_two(bits, largest_radix);
  for (const int radix : odd_radices)
    for (; length % radix == 0; length /= radix) radices.push_back(radix);
  std::ranges::sort(radices, std::greater<>());
  return radices;
}

/// Arithmetic on vectors in one butterfly (kernel/butterflies-inl.hpp).
double operations(int radix) {
  switch (radix) {
    case 2:
      return 4;
    case 4:
      return 16;
    case 8:
      return 52;
    case 16:
      return 161;
    default: {
      const int pairs = (radix - 1) / 2;
      return pairs * (4 * pairs + 10);
    }
  }
}

/// Of an FFT, per lane: those of butterflies, four for each twiddle, and one for each real number
/// that is loaded or stored.
double instructions(Index length, int largest_radix) {
  double per_element = 0;
  for (const int radix : radices_of(length, largest_radix))
    per_element += (operations(radix) + 4 * (radix - 1)) / radix + 4;
  return per_element * static_cast<double>(length);
}

/// Slots in the order of outputs: digits of k by stage, the first stage's the lowest.
std::vector<Index> slots_of(const LanePlan& plan) {
  std::vector<Index> slots(static_cast<std::size_t>(plan.length));
  for (Index k = 0; k < plan.length; ++k) {
    Index rest = k, slot = 0;
    for (const RadixStage& stage : plan.stages) {
      slot += rest % stage.radix * stage.span;
      rest /= stage.radix;
    }
    slots[static_cast<std::size_t>(k)] = slot;
  }
  return slots;
}

}  // namespace

bool is_smooth(Index length) {
  for (const int radix : {2, 3, 5, 7, 11, 13})
    while (length % radix == 0) length /= radix;
  return length == 1;
}

bool is_prime(Index length) {
  for (Index divisor = 2; divisor * divisor <= length; ++divisor)
    if (length % divisor == 0) return false;
  return length > 1;
}

Index fastest_length_from(Index least, int largest_radix) {
  Index fastest = 0;
  double fewest = 0;
  for (Index length = least; fastest == 0 || length <= least + least / 4; ++length) {
    if (!is_smooth(length)) continue;
    const double count = instructions(length, largest_radix);
    if (fastest != 0 && count >= fewest) continue;
    fastest = length;
    fewest = count;
  }
  return fastest;
}

LanePlan make_lane_plan(Index length, int largest_radix) {
  LanePlan plan;
  plan.length = length;
  Index blocks = 1;
  for (const int radix : radices_of(length, largest_radix)) {
    plan.stages.push_back({radix, length / (blocks * radix), blocks});
    blocks *= radix;
  }
  plan.slot_of = slots_of(plan);
  return plan;
}

/// From the first eighth of the circle, where both are computed without cancellation.
Root root_of_unity(Index k, Index n) {
  Index eighths = 8 * (k % n);  // the angle, in units of a whole turn over 8 n
  const Index octant = eighths / n;
  eighths -= octant * n;
  const bool is_mirrored = octant % 2 == 1;
  if (is_mirrored) eighths = n - eighths;
  const long double angle = std::numbers::pi_v<long double> / 4 *
                            static_cast<long double>(eighths) / static_cast<long double>(n);
  double cosine = static_cast<double>(std::cos(angle));
  double sine = static_cast<double>(std::sin(angle));
  const Index quadrant = octant / 2;
  if (is_mirrored) std::swap(cosine, sine);
  if (quadrant % 2 == 1) {
    std::swap(cosine, sine);
    cosine = -cosine;
  }
  if (quadrant >= 2) {
    cosine = -cosine;
    sine = -sine;
  }
  return {cosine, -sine};
}

template <class Real>
std::vector<Real> twiddles(const RadixStage& stage) {
  std::vector<Real> constants;
  const Index period = stage.radix * stage.span;
  for (Index b = 0; b < stage.span; ++b)
    for (Index q = 1; q < stage.radix; ++q) {
      const Root root = root_of_unity(b * q, period);
      constants.push_back(static_cast<Real>(root.cosine));
      constants.push_back(static_cast<Real>(root.sine));
    }
  return constants;
}

template std::vector<float> twiddles(const RadixStage&);
template std::vector<double> twiddles(const RadixStage&);

}  // namespace weft
