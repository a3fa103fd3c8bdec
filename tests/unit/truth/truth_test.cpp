// Tests the truth itself: against numbers printed by scipy.fft, against FFTW, and against its own
// inverse.
#include "truth/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weft::test {
namespace {

struct Known {
  Kind kind;
  std::vector<double> backward, ortho;
};

/// scipy.fft.dct and dst of [1, 2, 4, 8], type 1 to 4, norm "backward" and "ortho".
const std::vector<Known> known{
    {Kind::dct1,
     {21, -9, 3, -3},
     {7.1383362293125234, -4.8579484652551059, 2.7466626799234533, -1.7030374948677898}},
    {Kind::dct2,
     {30, -14.465047184618374, 4.2426406871192848, -1.6620499230661112},
     {7.5000000000000009, -5.1141664772135158, 1.5, -0.5876233856353128}},
    {Kind::dct3,
     {16.475307297378961, -17.908193040212609, 8.5944845412278479, -3.1615987983942038},
     {5.9713473654611642, -6.185055759359309, 3.185055759359309, -0.97134736546116474}},
    {Kind::dct4,
     {12.853456026431511, -15.852828034998904, 12.052235717396034, -10.872907876077479},
     {4.5443829589864091, -5.6048211022659675, 4.261108802114725, -3.8441534451955031}},
    {Kind::dst1,
     {21.992812736806361, -15.665932237302043, 10.065594265803087, -4.4247674669140089},
     {6.9547380401869354, -4.9540027539731888, 3.1830203883068044, -1.3992343312061999}},
    {Kind::dst2,
     {17.974856172707057, -12.727922061357855, 12.037630396822085, -10},
     {6.3550713452870156, -4.5, 4.2559450415051039, -2.5000000000000004}},
    {Kind::dst3,
     {18.984830249566663, -6.3852812691519549, 3.9578644813556658, -2.6720239999257167},
     {7.8837239798258514, -3.429110717854206, 2.5708892821457949, -2.1162760201741491}},
    {Kind::dst4,
     {24.956782960982718, -6.7085096330595704, 3.4861419977573953, -0.04119117650495463},
     {8.8235552341558812, -2.3718163265958503, 1.2325373233967361, -0.014563280115852839}},
};

double distance(const Global& a, const Global& b) {
  long double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    worst = std::max(worst, std::abs(a.values[i] - b.values[i]));
  return static_cast<double>(worst);
}

TEST(TruthTest, AgreesWithScipy) {
  for (const Known& one : known)
    for (bool ortho : {false, true}) {
      Transform transform({4}, one.kind);
      if (ortho) transform.scale.rule = Scale::Rule::ortho;
      const Global found = forward_by_matrices(transform, {{4}, {1, 2, 4, 8}});
      for (int k = 0; k < 4; ++k)
        EXPECT_NEAR(static_cast<double>(found.values[k].real()),
                    (ortho ? one.ortho : one.backward)[k], 1e-13)
            << weft::to_string(one.kind) << (ortho ? " ortho " : " ") << k;
    }
}

TEST(TruthTest, FourierSigns) {
  const Global found = forward_by_matrices(Transform({4}, Kind::c2c), {{4}, {0, 1, 0, 0}});
  EXPECT_NEAR(0, static_cast<double>(std::abs(found.values[1] - Exact(0, -1))), 1e-15);
  const Global real = forward_by_matrices(Transform({3}, Kind::c2r), {{2}, {0, Exact(0, 1)}});
  EXPECT_NEAR(static_cast<double>(real.values[1].real()), -std::sqrt(3.0), 1e-15);
}

std::vector<Transform> some_transforms() {
  std::vector<Transform> all;
  for (Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                    Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4})
    for (const Shape& shape : {Shape{2}, Shape{7}, Shape{12}, Shape{5, 6}})
      all.emplace_back(shape, kind);
  all.push_back(Transform({4, 5, 6}, {Kind::dct2, Kind::c2c, Kind::r2c}));
  all.push_back(Transform({4, 5, 6}, {Kind::dst3, Kind::none, Kind::c2c}));
  all.push_back(Transform({4, 5, 6}, {Kind::dct1, Kind::c2r, Kind::c2c}));
  const std::size_t plain = all.size();
  for (Scale::Rule rule : {Scale::Rule::ortho, Scale::Rule::forward, Scale::Rule::number})
    for (std::size_t i = 0; i < plain; ++i) {
      all.push_back(all[i]);
      all.back().scale = {rule, rule == Scale::Rule::number ? -0.3 : 1.0};
    }
  return all;
}

TEST(TruthTest, BackwardUndoesForward) {
  for (const Transform& transform : some_transforms()) {
    const Global input = random_input(transform, 1);
    const Global again = backward_truth(transform, forward_truth(transform, input));
    EXPECT_LT(distance(input, again), 1e-13) << to_string(transform);
  }
}

TEST(TruthTest, MatricesAgreeWithFftw) {
  for (const Transform& transform : some_transforms()) {
    const Global input = random_input(transform, 2);
    const auto other = forward_by_fftw(transform, input);
    if (!other) GTEST_SKIP() << "these tests were built without FFTW";
    EXPECT_LT(distance(forward_by_matrices(transform, input), *other), 1e-12)
        << to_string(transform);
  }
}

TEST(TruthTest, RandomNumbersAreHeldExactly) {
  Transform transform({50}, Kind::c2c, {}, Precision::single_);
  for (const Exact& value : random_input(transform, 3).values) {
    EXPECT_EQ(Exact(std::complex<float>(value)), value);
    EXPECT_LE(std::abs(value.real()), 1);
    EXPECT_NE(value.real(), 0);
  }
}

}  // namespace
}  // namespace weft::test
