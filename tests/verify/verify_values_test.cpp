// Numbers that are not finite, with verify=1. Those of the caller are no error, and the result
// shows them; where finite numbers have become infinite, the error says so.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "verify/altered_calls.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;

class VerifyValuesTest : public testing::TestWithParam<std::string> {
 protected:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  void SetUp() override {
    if (GetParam() == "shared" && !test::on_one_node()) GTEST_SKIP() << "needs common memory";
  }

  Plan plan(const std::string& more = "") const {
    return Plan(MPI_COMM_WORLD, Transform({12, 10, 8}, Kind::c2c),
                Options::parse("verify=1, fields=2, exchange=" + GetParam() + more));
  }
  /// One number of one rank is `special`.
  static std::vector<Complex> numbers(const Plan& plan, double special, double size = 1) {
    std::vector<Complex> values(plan.in_place_bytes() / sizeof(Complex));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::polar(size, static_cast<double>(i * i));
    if (test::is_last_rank()) values[7] = special;
    return values;
  }
  static bool is_finite(const std::vector<Complex>& values) {
    int finite = 1;
    for (const Complex& value : values)
      if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) finite = 0;
    MPI_Allreduce(MPI_IN_PLACE, &finite, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return finite == 1;
  }
};

TEST_P(VerifyValuesTest, OfTheCallerNeedNotBeFinite) {
  for (const char* more : {"", ", decomposition=brick", ", output=natural", ", wire=float"}) {
    Plan plan = this->plan(more);
    for (const double special : {nan, infinite, -infinite}) {
      SCOPED_TRACE(more + std::string(" ") + std::to_string(special));
      const std::vector<Complex> wrong = numbers(plan, special), right = numbers(plan, 1);
      std::vector<std::vector<Complex>> out{right, right};
      EXPECT_FALSE(test::message_of([&] { plan.backward(wrong, out[1]); }));
      EXPECT_FALSE(is_finite(out[1]));
      out[1] = right;
      EXPECT_FALSE(test::message_of([&] { plan.forward(wrong, out[1]); }));
      EXPECT_FALSE(is_finite(out[1]));
      out = {right, right};
      EXPECT_FALSE(test::message_of([&] { plan.forward(std::vector{right, wrong}, out); }));
      EXPECT_TRUE(is_finite(out[0]) && !is_finite(out[1]));
      EXPECT_FALSE(test::message_of([&] { plan.forward(right, out[0]); }));
      EXPECT_TRUE(is_finite(out[0])) << "nothing of it stays behind";
    }
  }
}

/// Division by the wavenumber 0, say.
TEST_P(VerifyValuesTest, OfTheFunctionNeedNotBeFinite) {
  Plan plan = this->plan();
  for (const double special : {nan, infinite}) {
    const LineFunction<Complex> divide = [&](const SpectrumLine<Complex>& line) {
      if (test::is_last_rank()) line.values[0] = special;
    };
    const LineFunction<Complex> nothing = [](const SpectrumLine<Complex>&) {};
    const std::vector<Complex> in = numbers(plan, 1);
    std::vector<std::vector<Complex>> out{in, in};
    EXPECT_FALSE(test::message_of([&] { plan.apply<Complex>(in, out[0], divide); }));
    EXPECT_FALSE(is_finite(out[0]));
    EXPECT_FALSE(test::message_of([&] { plan.apply<Complex>(in, out, {divide, nothing}); }));
    EXPECT_TRUE(!is_finite(out[0]) && is_finite(out[1]));
    EXPECT_FALSE(test::message_of([&] {
      plan.apply<Complex>(std::vector{in, in}, out, [&](const SpectrumLines<Complex>& lines) {
        if (test::is_last_rank()) lines.values[1][0] = special;
      });
    }));
    EXPECT_TRUE(is_finite(out[0]) && !is_finite(out[1]));
  }
}

TEST_P(VerifyValuesTest, TooLargeForAWireAreNotBlamedOnTheNetworkAlone) {
  Plan plan = this->plan(", wire=float");
  const std::vector<Complex> in = numbers(plan, 1e100, 1e100);
  std::vector<Complex> out(in.size());
  test::expect_error(
      [&] { plan.forward(in, out); },
      {"the data of exchange 0", "it is not finite any more", "too large for wire=float"});
}

/// Their squares, and so their norm, would be infinite.
TEST_P(VerifyValuesTest, BeyondAllMeasureAreNotCompared) {
  Plan plan = this->plan();
  const std::vector<Complex> in = numbers(plan, 1e200, 1e200);
  std::vector<Complex> out(in.size());
  EXPECT_FALSE(test::message_of([&] { plan.forward(in, out); }));
}

TEST_P(VerifyValuesTest, OfOneFieldHideNothingInAnother) {
  if (GetParam() == "shared") GTEST_SKIP() << "sends no messages";
  Plan plan = this->plan();
  const std::vector<std::vector<Complex>> in{numbers(plan, nan), numbers(plan, 1)};
  std::vector<std::vector<Complex>> out = in;
  std::string messages;  // one, since messages of the field that is not a number are not compared
  for (const int skipped : {0, 1})
    messages += test::corrupted(0, {test::Moment::sending, {1}, skipped, test::exchange_halves},
                                [&] { plan.forward(in, out); });
  test::expect_words(messages, {"forward: field 1: the data of exchange 0"});
  EXPECT_EQ(messages.find("field 0"), std::string::npos) << messages;
}

INSTANTIATE_TEST_SUITE_P(Exchanges, VerifyValuesTest, testing::Values("shared", "p2p", "alltoallv"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
