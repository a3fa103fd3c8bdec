// Tests the truth itself: against numbers printed by scipy.fft, against FFTW, and against its own
// inverse.
#include "truth/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "truth/scipy_lines.hpp"
#include "truth/walls.hpp"

namespace weft::test {
namespace {

double distance(const Global& a, const Global& b) {
  long double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    worst = std::max(worst, std::abs(a.values[i] - b.values[i]));
  return static_cast<double>(worst);
}

TEST(TruthTest, AgreesWithScipy) {
  for (const ScipyLine& one : scipy_lines)
    for (bool ortho : {false, true}) {
      Transform transform({4}, one.kind);
      if (ortho) transform.scale.rule = Scale::Rule::ortho;
      const Global found =
          forward_by_matrices(transform, {{4}, {scipy_input.begin(), scipy_input.end()}});
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
  std::vector<Kind> kinds{Kind::c2c, Kind::r2c, Kind::c2r};
  kinds.insert(kinds.end(), trigonometric_kinds.begin(), trigonometric_kinds.end());
  for (const Kind kind : kinds)
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
