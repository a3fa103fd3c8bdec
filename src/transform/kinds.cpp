// The rows follow the FFTW 3 manual, "1d Real-even DFTs" and "1d Real-odd DFTs", and agree with
// SciPy's definitions.
#include "transform/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "layout/enumerators.hpp"
#include "layout/names.hpp"

namespace weft {
namespace {

using enum LineKind;
using enum LineSum::Wave;

/// In the order of LineKind.
constexpr std::array<LineSum, 12> line_sums{
    //       name           inverse       wave      a  b  c  d  period(n)  ends that count once
    LineSum{"c2c", c2c_backward, forward, 1, 0, 1, 0, 1, 0},
    LineSum{"c2c inverse", c2c_forward, backward, 1, 0, 1, 0, 1, 0},
    LineSum{"r2c", c2r, forward, 1, 0, 1, 0, 1, 0},
    LineSum{"c2r", r2c, backward, 1, 0, 1, 0, 1, 0},
    LineSum{"dct1", dct1, cosine, 1, 0, 1, 0, 2, -2, true, true},
    LineSum{"dct2", dct3, cosine, 2, 1, 1, 0, 4, 0},
    LineSum{"dct3", dct2, cosine, 1, 0, 2, 1, 4, 0, true, false},
    LineSum{"dct4", dct4, cosine, 2, 1, 2, 1, 8, 0},
    LineSum{"dst1", dst1, sine, 1, 1, 1, 1, 2, 2},
    LineSum{"dst2", dst3, sine, 2, 1, 1, 1, 4, 0},
    LineSum{"dst3", dst2, sine, 1, 1, 2, 1, 4, 0, false, true},
    LineSum{"dst4", dst4, sine, 2, 1, 2, 1, 8, 0}};

struct KindRow {
  const char* name;
  LineKind analysis;
  Index shortest = 1;
  Index multiple = 1;  // lengths must be multiples of it
};

/// In the order of Kind.
constexpr std::array<KindRow, 13> kind_rows{
    KindRow{"none", c2c_forward},  // its analysis is never used
    KindRow{"c2c", c2c_forward},  KindRow{"r2c", r2c},
    KindRow{"c2r", r2c},          KindRow{"r2c_packed", r2c, 1, 2},
    KindRow{"dct1", dct1, 2},     KindRow{"dct2", dct2},
    KindRow{"dct3", dct3},        KindRow{"dct4", dct4},
    KindRow{"dst1", dst1},        KindRow{"dst2", dst2},
    KindRow{"dst3", dst3},        KindRow{"dst4", dst4}};

/// A number that is no kind gets the row of `none`; `validate` refuses it on all ranks.
const KindRow& row_of(Kind kind) {
  const auto number = static_cast<std::size_t>(kind);
  return kind_rows[number < kind_rows.size() ? number : 0];
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const KindRow& row : kind_rows) names.emplace_back(row.name);
  return names;
}

const LineSum& analysis_of(Kind kind) { return line_sum(row_of(kind).analysis); }

}  // namespace

std::string to_string(Kind kind) { return name_of(kind, kind_names(), "kind"); }

Kind parse_kind(const std::string& name) {
  const std::vector<std::string> names = kind_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Error(fmt::format("kind \"{}\": {}", name, valid_instead_of(name, names)));
  return static_cast<Kind>(found - names.begin());
}

const LineSum& line_sum(LineKind kind) { return line_sums[static_cast<std::size_t>(kind)]; }

LineKind line_kind(Kind kind, Sense sense) {
  const LineKind analysis = row_of(kind).analysis;
  return sense == Sense::analysis ? analysis : line_sum(analysis).inverse;
}

void require_length(Kind kind, Index length, int axis) {
  const KindRow& row = row_of(kind);
  if (length < row.shortest)
    throw Error(fmt::format("{} along axis {}: length {} is too short; it needs at least {}",
                            row.name, axis, length, row.shortest));
  if (length % row.multiple != 0)
    throw Error(fmt::format("{} along axis {}: length {} is no multiple of {}", row.name, axis,
                            length, row.multiple));
}

double logical_length(Kind kind, Index length) {
  if (kind == Kind::none) return 1;
  const LineSum& sum = analysis_of(kind);
  return static_cast<double>(sum.period(length)) / static_cast<double>(sum.a * sum.c);
}

GridPoints grid_points(Kind kind, Index length) {
  to_string(kind);  // throws for a value that is no kind
  if (length < 1) throw Error(fmt::format("length {}: must be at least 1", length));
  if (!is_trigonometric(kind)) return {0, static_cast<double>(length), false};
  const LineSum& sum = analysis_of(kind);
  return {static_cast<double>(sum.b) / static_cast<double>(sum.a), logical_length(kind, length) / 2,
          true};
}

/// An element that counts once going in is multiplied by sqrt(2); an element that counts once going
/// back is divided by sqrt(2).
EndWeights orthogonal_weights(LineKind kind) {
  constexpr double up = std::numbers::sqrt2;
  constexpr double down = 1 / std::numbers::sqrt2;
  const LineSum& there = line_sum(kind);
  const LineSum& back = line_sum(there.inverse);
  return {there.first_once ? up : 1, there.last_once ? up : 1, back.first_once ? down : 1,
          back.last_once ? down : 1};
}

double wave_offset(Kind kind) {
  const LineSum& sum = analysis_of(kind);
  return static_cast<double>(sum.d) / static_cast<double>(sum.c);
}

double wave_unit(Kind kind, double length) {
  if (kind == Kind::none) return 0;
  const double periods = is_trigonometric(kind) ? 1 : 2;
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

bool is_trigonometric(LineKind kind) { return !line_sum(kind).is_exponential(); }

bool is_trigonometric(Kind kind) { return is_trigonometric(row_of(kind).analysis); }

bool is_half_complex(Kind kind) { return row_of(kind).analysis == r2c; }

std::string to_string(LineKind kind) { return line_sum(kind).name; }

}  // namespace weft
