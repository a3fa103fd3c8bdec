// DCT and DST by geometry: where points and waves lie between two walls. Their sums, inverses, end
// weights and logical lengths follow, without a table.
#pragma once

#include <array>
#include <weft/transform.hpp>

namespace weft::test {

inline constexpr std::array trigonometric_kinds{Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                                Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

/// Wave k at point j is the cosine or sine of 2 pi x y / period, with x = j + point / 2 and
/// y = k + wave / 2. Types I to IV shift neither points nor waves by half a step, points, waves,
/// both: FFTW's REDFT00, 10, 01 and 11.
struct Walls {
  bool is_sine;
  Index point, wave;
  Index period;  ///< the logical length: twice the steps from wall to wall

  Walls inverse() const { return {is_sine, wave, point, period}; }

  /// A line goes on beyond its walls as its mirror image, so its elements count twice in each
  /// period, except for those on a wall.
  Index count_of_point(Index j) const { return (2 * j + point) % period == 0 ? 1 : 2; }
  Index count_of_wave(Index k) const { return inverse().count_of_point(k); }
};

/// `kind`: a Kind or LineKind.
template <class AnyKind>
Walls walls_of(AnyKind kind, Index length) {
  const int number = static_cast<int>(kind) - static_cast<int>(AnyKind::dct1);
  const bool is_sine = number / 4 == 1, shifts_points = number % 2 == 1;
  const bool shifts_waves = number / 2 % 2 == 1;
  const Index first = is_sine ? 2 : 0;  // sines leave out zeros: y = 0, and x = 0
  Index period = 2 * length;
  if (!shifts_points && !shifts_waves) period += is_sine ? 2 : -2;  // points on no wall, or on both
  return {is_sine, shifts_points ? 1 : first, shifts_waves ? 1 : first, period};
}

}  // namespace weft::test
