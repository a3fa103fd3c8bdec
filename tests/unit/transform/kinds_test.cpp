// Properties of kinds that follow from their rows: against what SciPy computes, and against where
// points and waves lie between walls.
#include "transform/kinds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/error_checks.hpp"
#include "transform/line_weights.hpp"
#include "truth/scipy_lines.hpp"
#include "truth/walls.hpp"

namespace weft {
namespace {

using Line = std::vector<double>;

/// The sum of a row.
Line transformed(LineKind kind, const Line& line) {
  const auto n = static_cast<Index>(line.size());
  Line result(line.size());
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j)
      result[static_cast<std::size_t>(k)] +=
          line_entry(kind, n, j, k).real() * line[static_cast<std::size_t>(j)];
  return result;
}

TEST(Kinds, SumsInversesAndWeightsAreScipys) {
  for (const test::ScipyLine& known : test::scipy_lines) {
    SCOPED_TRACE(to_string(known.kind));
    const LineKind kind = line_kind(known.kind, Sense::analysis);
    const EndWeights ends = orthogonal_weights(kind);
    const double length = logical_length(known.kind, 4);
    Line weighted = test::scipy_input;
    weighted.front() *= ends.first_in;
    weighted.back() *= ends.last_in;
    const Line plain = transformed(kind, test::scipy_input);
    const Line again = transformed(line_kind(known.kind, Sense::synthesis), known.backward);
    Line ortho = transformed(kind, weighted);
    ortho.front() *= ends.first_out;
    ortho.back() *= ends.last_out;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(plain[k], known.backward[k], 1e-13);
      EXPECT_NEAR(again[k] / length, test::scipy_input[k], 1e-13);
      EXPECT_NEAR(ortho[k] / std::sqrt(length), known.ortho[k], 1e-13);
    }
  }
}

TEST(Kinds, PointsAndWavesBetweenWalls) {
  for (const Kind kind : test::trigonometric_kinds) {
    SCOPED_TRACE(to_string(kind));
    const test::Walls walls = test::walls_of(kind, 10);
    const GridPoints found = grid_points(kind, 10);
    EXPECT_EQ(2 * found.first, walls.point);
    EXPECT_EQ(2 * found.steps, walls.period);
    EXPECT_TRUE(found.has_walls);
    EXPECT_EQ(2 * wave_offset(kind), walls.wave);
    EXPECT_EQ(logical_length(kind, 10), walls.period);
  }
}

TEST(Kinds, PointsAndWavesOfPeriodicAxes) {
  for (const Kind kind : {Kind::none, Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2c_packed}) {
    SCOPED_TRACE(to_string(kind));
    const GridPoints found = grid_points(kind, 10);
    EXPECT_EQ(found.first, 0);
    EXPECT_EQ(found.steps, 10);
    EXPECT_FALSE(found.has_walls);
    EXPECT_EQ(wave_offset(kind), 0);
    EXPECT_EQ(logical_length(kind, 10), kind == Kind::none ? 1 : 10);
  }
  test::expect_error([] { grid_points(Kind{99}, 10); }, {"kind", "99"});
  test::expect_error([] { grid_points(Kind::c2c, 0); }, {"length", "0"});
}

}  // namespace
}  // namespace weft
