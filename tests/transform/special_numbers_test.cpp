// Numbers at the edges of what floating point has, and a line longer than any table of twiddles.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <weft/plan.hpp>

#include "cases/run_case.hpp"
#include "support/over_ranks.hpp"
#include "support/ranks.hpp"
#include "truth/truth.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Case case_of(const Transform& transform, const std::string& options) {
  Case one;
  one.name = "special_numbers";
  one.transform = transform;
  one.options = Options::parse("engine_effort=estimate, " + options);
  return one;
}

class SpecialNumbersTest : public testing::TestWithParam<std::string> {
 protected:
  static std::string options() { return "exchange=" + GetParam(); }
};

/// Every mode of a complex or real DFT depends on every point; and nothing stays behind.
template <class In>
void expect_it_spreads(const Case& one, double special) {
  Plan plan = plan_of(one, MPI_COMM_WORLD);
  auto in = plan.make_input<In>(), back = plan.make_input<In>();
  auto out = plan.make_output<Complex>();
  in.fill([](const Point& at) { return static_cast<double>(at[0] - at[1] + at[2]); });
  if (in.box().contains({{1, 2, 3}, {2, 3, 4}})) in.at({1, 2, 3}) = In(special);
  plan.forward(in, out);
  for (const Complex& mode : out.span())
    EXPECT_FALSE(std::isfinite(std::abs(mode))) << mode << " from " << special;
  plan.backward(out, back);
  for (const In& value : back.span()) EXPECT_FALSE(std::isfinite(std::abs(value)));
  check_plan(one, plan, MPI_COMM_WORLD);
}

TEST_P(SpecialNumbersTest, NanAndInfinitySpreadAndTheNextTransformIsRight) {
  for (const double special : {nan, infinity, -infinity}) {
    expect_it_spreads<Complex>(case_of(Transform({6, 5, 8}, Kind::c2c), options()), special);
    expect_it_spreads<double>(
        case_of(Transform({6, 5, 8}, Kind::r2c), options() + ", producer_chunks=2"), special);
  }
}

TEST_P(SpecialNumbersTest, StayInTheirOwnBatch) {
  const Transform transform({3, 6, 8}, {Kind::none, Kind::c2c, Kind::c2c});
  Plan plan = plan_of(case_of(transform, options()), MPI_COMM_WORLD);
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  in.fill([](const Point& at) { return at[0] == 1 ? nan : at[1] == 0 && at[2] == 0 ? 1.0 : 0.0; });
  plan.forward(in, out);
  out.for_each([](const Point& at, const Complex& mode) {
    if (at[0] == 1)
      EXPECT_TRUE(std::isnan(std::abs(mode)));
    else
      EXPECT_EQ(mode, Complex(1, 0));
  });
}

TEST_P(SpecialNumbersTest, ShortWiresHandThemOn) {
  for (const char* wire : {"float", "bfloat16", "fixed12"}) {
    SCOPED_TRACE(wire);
    Case one = case_of(Transform({6, 5, 8}, Kind::c2c), options() + ", wire=" + wire);
    one.error_bound = 0.01;
    if (GetParam() != "pairwise_in_place") expect_it_spreads<Complex>(one, nan);
  }
}

/// Below 2^-1022 numbers lose digits, but are not 0.
TEST_P(SpecialNumbersTest, SubnormalNumbersAreKept) {
  constexpr double tiny = 1e-310;
  const Case one = case_of(Transform({6, 5, 8}, Kind::c2c), options());
  Plan plan = plan_of(one, MPI_COMM_WORLD);
  const auto truth = truth_of(one.transform, 3);
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  in.fill([&](const Point& at) { return Complex(truth->input.at(at)) * tiny; });
  plan.forward(in, out);
  double norm = 0, error = 0;
  out.for_each([&](const Point& at, const Complex& mode) {
    const Complex expected(truth->output.at(at));
    norm += std::norm(expected);
    error += std::norm(mode / tiny - expected);
  });
  EXPECT_LT(std::sqrt(sum_over_ranks(error) / sum_over_ranks(norm)), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Exchange, SpecialNumbersTest, testing::ValuesIn(exchanges_here()),
                         [](const auto& one) { return one.param; });

/// A wave has one mode, far from the ends of its line.
template <class In>
void expect_one_mode(const Shape& shape, Kind kind) {
  running("a line of " + to_string(shape));
  const Index length = shape.back(), k = length / 3;
  Plan plan(MPI_COMM_WORLD, Transform(shape, kind), Options::parse("engine_effort=estimate"));
  auto in = plan.make_input<In>(), back = plan.make_input<In>();
  auto out = plan.make_output<Complex>();
  in.fill([&](const Point& at) {
    const double turn = static_cast<double>(at.back() * k % length) / static_cast<double>(length);
    const Complex wave = std::polar(1.0, 2 * std::numbers::pi * turn);
    if constexpr (std::is_same_v<In, double>)
      return wave.real();
    else
      return wave;
  });
  plan.forward(in, out);
  const double height = static_cast<double>(volume(shape)) / (kind == Kind::r2c ? 2 : 1);
  double error = 0;
  out.for_each([&](const Point& at, const Complex& mode) {
    const bool is_wave = at.back() == k && (at.size() == 1 || at[0] == 0);
    error += std::norm(mode - (is_wave ? height : 0.0));
  });
  EXPECT_LT(std::sqrt(sum_over_ranks(error)), 1e-11 * height);
  plan.backward(out, back);
  for (std::size_t i = 0; i < in.span().size(); ++i)
    ASSERT_LT(std::abs(in.span()[i] - back.span()[i]), 1e-11);
}

TEST(LongLinesTest, OfAPrimeLength) {
  expect_one_mode<Complex>({100'003}, Kind::c2c);
  expect_one_mode<double>({2, 100'003}, Kind::r2c);
}

/// Takes many seconds, so ctest runs it once.
TEST(DISABLED_LongLinesTest, OfAPrimeAboveAMillion) {
  expect_one_mode<Complex>({1'000'003}, Kind::c2c);
}

}  // namespace
}  // namespace weft::test
