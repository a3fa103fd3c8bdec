// Tables of the 1-D kinds, rather than formulas. Definitions follow the FFTW 3 manual, "1d
// Real-even DFTs" and "1d Real-odd DFTs", and agree with SciPy's.
#include "transform/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weft {

LineKind line_kind(Kind kind, Sense sense) {
  struct Pair {
    LineKind analysis, synthesis;
  };
  // In the order of Kind; the entry of `none` is never used.
  static constexpr std::array<Pair, 13> pairs{{{LineKind::c2c_forward, LineKind::c2c_backward},
                                               {LineKind::c2c_forward, LineKind::c2c_backward},
                                               {LineKind::r2c, LineKind::c2r},
                                               {LineKind::r2c, LineKind::c2r},
                                               {LineKind::r2c, LineKind::c2r},
                                               {LineKind::dct1, LineKind::dct1},
                                               {LineKind::dct2, LineKind::dct3},
                                               {LineKind::dct3, LineKind::dct2},
                                               {LineKind::dct4, LineKind::dct4},
                                               {LineKind::dst1, LineKind::dst1},
                                               {LineKind::dst2, LineKind::dst3},
                                               {LineKind::dst3, LineKind::dst2},
                                               {LineKind::dst4, LineKind::dst4}}};
  const Pair& pair = pairs[static_cast<std::size_t>(kind)];
  return sense == Sense::analysis ? pair.analysis : pair.synthesis;
}

double logical_length(Kind kind, Index length) {
  const auto n = static_cast<double>(length);
  switch (kind) {
    case Kind::none:
      return 1;
    case Kind::c2c:
    case Kind::r2c:
    case Kind::c2r:
    case Kind::r2c_packed:
      return n;
    case Kind::dct1:
      return 2 * (n - 1);
    case Kind::dst1:
      return 2 * (n + 1);
    default:
      return 2 * n;
  }
}

EndWeights orthogonal_weights(LineKind kind) {
  constexpr double up = std::numbers::sqrt2;
  constexpr double down = 1 / std::numbers::sqrt2;
  switch (kind) {
    case LineKind::dct1:
      return {up, up, down, down};
    case LineKind::dct2:
      return {1, 1, down, 1};
    case LineKind::dct3:
      return {up, 1, 1, 1};
    case LineKind::dst2:
      return {1, 1, 1, down};
    case LineKind::dst3:
      return {1, up, 1, 1};
    default:
      return {};
  }
}

double wave_offset(Kind kind) {
  switch (kind) {
    case Kind::dst1:
    case Kind::dst2:
      return 1;
    case Kind::dct3:
    case Kind::dct4:
    case Kind::dst3:
    case Kind::dst4:
      return 0.5;
    default:
      return 0;
  }
}

double wave_unit(Kind kind, double length) {
  if (kind == Kind::none) return 0;
  const double periods = is_trigonometric(line_kind(kind, Sense::analysis)) ? 1 : 2;
  return periods * std::numbers::pi / length;
}

void require_lengths(const Transform& transform, const std::vector<double>& lengths) {
  const int axes = transform.shape.size();
  if (static_cast<int>(lengths.size()) != axes)
    throw Error(fmt::format("lengths: {} given for the {} axes of shape {}", lengths.size(), axes,
                            to_string(transform.shape)));
  for (int axis = 0; axis < axes; ++axis) {
    const double length = lengths[static_cast<std::size_t>(axis)];
    if (transform.kinds[axis] != Kind::none && !(length > 0 && std::isfinite(length)))
      throw Error(fmt::format("lengths: {} along axis {}: must be positive", length, axis));
  }
}

void require_one_mode_each(const std::vector<Kind>& kinds, const std::string& name) {
  const auto packed = std::ranges::find(kinds, Kind::r2c_packed);
  if (packed != kinds.end())
    throw Error(
        fmt::format("{}: axis {} is r2c_packed, where one element holds the modes 0 and n/2, which "
                    "differ here; valid is a plan of kind r2c",
                    name, packed - kinds.begin()));
}

bool is_trigonometric(LineKind kind) { return kind >= LineKind::dct1; }

bool is_half_complex(Kind kind) {
  return kind == Kind::r2c || kind == Kind::c2r || kind == Kind::r2c_packed;
}

std::string to_string(LineKind kind) {
  static constexpr std::array names{"c2c",  "c2c inverse", "r2c",  "c2r",  "dct1", "dct2",
                                    "dct3", "dct4",        "dst1", "dst2", "dst3", "dst4"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace weft
