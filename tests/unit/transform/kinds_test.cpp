// Properties of kinds that follow from their rows, against SciPy's and FFTW's documents.
#include "transform/kinds.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "support/error_checks.hpp"

namespace weft {
namespace {

/// FFTW 3 manual, "1d Real-even DFTs" and "1d Real-odd DFTs".
TEST(Kinds, LogicalLengths) {
  const std::map<Kind, double> of_ten{{Kind::none, 1},  {Kind::c2c, 10},        {Kind::r2c, 10},
                                      {Kind::c2r, 10},  {Kind::r2c_packed, 10}, {Kind::dct1, 18},
                                      {Kind::dct2, 20}, {Kind::dct3, 20},       {Kind::dct4, 20},
                                      {Kind::dst1, 22}, {Kind::dst2, 20},       {Kind::dst3, 20},
                                      {Kind::dst4, 20}};
  for (const auto& [kind, length] : of_ten)
    EXPECT_EQ(logical_length(kind, 10), length) << to_string(kind);
}

TEST(Kinds, GridPoints) {
  struct Points {
    double first, steps;
  };
  const std::map<Kind, Points> walls{{Kind::dct1, {0, 9}},  {Kind::dct2, {0.5, 10}},
                                     {Kind::dct3, {0, 10}}, {Kind::dct4, {0.5, 10}},
                                     {Kind::dst1, {1, 11}}, {Kind::dst2, {0.5, 10}},
                                     {Kind::dst3, {1, 10}}, {Kind::dst4, {0.5, 10}}};
  for (const auto& [kind, points] : walls) {
    const GridPoints found = grid_points(kind, 10);
    EXPECT_EQ(found.first, points.first) << to_string(kind);
    EXPECT_EQ(found.steps, points.steps) << to_string(kind);
    EXPECT_TRUE(found.has_walls) << to_string(kind);
  }
  for (const Kind kind : {Kind::none, Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2c_packed}) {
    const GridPoints found = grid_points(kind, 10);
    EXPECT_EQ(found.first, 0);
    EXPECT_EQ(found.steps, 10);
    EXPECT_FALSE(found.has_walls);
  }
  test::expect_words(test::error_of([] { grid_points(Kind{99}, 10); }), {"kind", "99"});
  test::expect_words(test::error_of([] { grid_points(Kind::c2c, 0); }), {"length", "0"});
}

/// scipy.fft.dct and dst, parameter `orthogonalize`.
TEST(Kinds, OrthogonalWeights) {
  constexpr double up = std::numbers::sqrt2, down = 1 / std::numbers::sqrt2;
  const std::map<LineKind, EndWeights> weighed{{LineKind::dct1, {up, up, down, down}},
                                               {LineKind::dct2, {1, 1, down, 1}},
                                               {LineKind::dct3, {up, 1, 1, 1}},
                                               {LineKind::dst2, {1, 1, 1, down}},
                                               {LineKind::dst3, {1, up, 1, 1}}};
  for (const LineKind kind : {LineKind::dct1, LineKind::dct2, LineKind::dct3, LineKind::dct4,
                              LineKind::dst1, LineKind::dst2, LineKind::dst3, LineKind::dst4}) {
    const auto known = weighed.find(kind);
    const EndWeights wanted = known == weighed.end() ? EndWeights() : known->second;
    const EndWeights found = orthogonal_weights(kind);
    EXPECT_EQ(found.first_in, wanted.first_in) << to_string(kind);
    EXPECT_EQ(found.last_in, wanted.last_in) << to_string(kind);
    EXPECT_EQ(found.first_out, wanted.first_out) << to_string(kind);
    EXPECT_EQ(found.last_out, wanted.last_out) << to_string(kind);
  }
}

TEST(Kinds, WaveOffsets) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct1, Kind::dct2})
    EXPECT_EQ(wave_offset(kind), 0) << to_string(kind);
  for (const Kind kind : {Kind::dst1, Kind::dst2}) EXPECT_EQ(wave_offset(kind), 1);
  for (const Kind kind : {Kind::dct3, Kind::dct4, Kind::dst3, Kind::dst4})
    EXPECT_EQ(wave_offset(kind), 0.5) << to_string(kind);
}

}  // namespace
}  // namespace weft
