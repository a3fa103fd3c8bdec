// Memory that all ranks make together at the first call: the plan's own arrays, buffers of apply.
// A rank that calls alone must get an error, or at least say for whom it waits.
#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <map>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "support/deliberate_leaks.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// Split alike at both ends, so that forward and backward move equal blocks.
Plan cube(const std::string& options) {
  const Index side = 4 * world_ranks();
  return Plan(MPI_COMM_WORLD, Transform({side, side, side}, Kind::c2c), Options::parse(options));
}

std::vector<Complex> array_of(const Plan& plan) {
  return std::vector<Complex>(plan.in_place_bytes() / sizeof(Complex), Complex(1, 2));
}

void apply_to(Plan& plan, std::vector<Complex>& in, std::vector<Complex>& out) {
  plan.apply<Complex>(in.data(), out.data(), [](const auto&) {});
}

/// With one rank, a mistake of the last rank is one of all.
TEST(FirstCallsTest, AWrongTypeOnOneRankThrowsOnAll) {
  Plan plan = cube("exchange=auto");
  for (const Side side : {Side::input, Side::output}) {
    const ElementType right, wrong{Precision::single_};
    const std::string error =
        error_of([&] { plan.own_array(side, is_last_rank() ? wrong : right); });
    expect_words(error, {side == Side::input ? "input" : "output", "double"});
    EXPECT_NE(plan.own_array(side, right), nullptr);
    // From now on the array is there, and asking for it is nobody else's business.
    if (is_last_rank()) error_of([&] { plan.own_array(side, wrong); });
  }
  auto in = plan.input<Complex>(), out = plan.output<Complex>();
  in.fill([](const Point&) { return 1; });
  plan.forward(in, out);
}

TEST(FirstCallsTest, AFailedPlanDoesNotApply) {
  const DeliberateLeaks leaks;
  Plan plan = cube("errors=raise");
  std::vector<Complex> in = array_of(plan), out = array_of(plan);
  const auto fails = [](const auto&) { throw Error("no such mode"); };
  error_of([&] { plan.apply<Complex>(in.data(), out.data(), fails); });
  expect_error([&] { apply_to(plan, in, out); }, {"failed", "no such mode"});
}

struct Meeting {
  std::string checked;  // an option
  bool is_first;        // of its kind
};

void expect_disagreement(const std::string& error) {
  EXPECT_TRUE(error.find("ranks disagree") != std::string::npos ||
              error.find("all ranks must pass the same") != std::string::npos ||
              error.find("left the call with an error") != std::string::npos)
      << error;
}

/// One rank makes another call than the others. Started by ctest as part of mpi.mixups.
class DISABLED_FirstCallsMixupsTest : public testing::TestWithParam<Meeting> {};

TEST_P(DISABLED_FirstCallsMixupsTest, ForwardHereAndApplyThere) {
  if (world_ranks() == 1) GTEST_SKIP() << "takes two ranks";
  Plan plan = cube("errors=raise" + GetParam().checked);
  std::vector<Complex> in = array_of(plan), out = array_of(plan);
  if (!GetParam().is_first) apply_to(plan, in, out);
  const std::string error = error_of(
      [&] { is_last_rank() ? apply_to(plan, in, out) : plan.forward(in.data(), out.data()); });
  expect_disagreement(error);
}

TEST_P(DISABLED_FirstCallsMixupsTest, ForwardHereAndTheOwnArrayThere) {
  if (world_ranks() == 1 || !GetParam().is_first) GTEST_SKIP() << "takes two ranks, and no array";
  Plan plan = cube("errors=raise" + GetParam().checked);
  std::vector<Complex> in = array_of(plan), out = array_of(plan);
  const std::string error = error_of([&] {
    if (is_last_rank())
      plan.input<Complex>();
    else
      plan.forward(in.data(), out.data());
  });
  expect_disagreement(error);
}

INSTANTIATE_TEST_SUITE_P(Calls, DISABLED_FirstCallsMixupsTest,
                         testing::Values(Meeting{"", true}, Meeting{"", false},
                                         Meeting{", check_calls=1", true},
                                         Meeting{", check_calls=1", false}),
                         [](const auto& one) {
                           return std::string(one.param.is_first ? "first" : "later") +
                                  (one.param.checked.empty() ? "" : "_checked");
                         });

/// Calls of rank 0, while the others do nothing.
const std::map<std::string, std::function<void()>>& lonely_steps() {
  static const std::string limits = "stall_seconds=0.5, stall_limit=2";
  const auto with_plan = [](const std::string& options, const std::function<void(Plan&)>& step) {
    return [=] {
      Plan plan = cube(limits + options);
      if (world_rank() == 0) step(plan);
      MPI_Barrier(MPI_COMM_WORLD);
    };
  };
  const auto forward = [](Plan& plan) {
    std::vector<Complex> in = array_of(plan), out = array_of(plan);
    plan.forward(in.data(), out.data());
  };
  static const std::map<std::string, std::function<void()>> steps{
      {"plan",
       [] {
         if (world_rank() == 0) cube(limits);
         MPI_Barrier(MPI_COMM_WORLD);
       }},
      {"own_array", with_plan("", [](Plan& plan) { plan.input<Complex>(); })},
      {"apply", with_plan("",
                          [](Plan& plan) {
                            std::vector<Complex> in = array_of(plan), out = array_of(plan);
                            apply_to(plan, in, out);
                          })},
      {"checked_call", with_plan(", check_calls=1", forward)},
      {"started", with_plan("",
                            [](Plan& plan) {
                              std::vector<Complex> in = array_of(plan), out = array_of(plan);
                              plan.start_forward(in.data(), out.data()).wait();
                            })},
      {"closing", with_plan("", [](Plan& plan) { plan.close(); })},
      {"sum", with_plan("",
                        [](Plan& plan) {
                          double one = 1;
                          plan.sum_over_ranks({&one, 1});
                        })},
  };
  return steps;
}

/// Ended by the stall watch: ctest expects its message, mpi.lonely.*.
class DISABLED_LonelyTest : public testing::TestWithParam<std::string> {};

TEST_P(DISABLED_LonelyTest, RankZeroAlone) { lonely_steps().at(GetParam())(); }

std::vector<std::string> names_of_steps() {
  std::vector<std::string> names;
  for (const auto& [name, step] : lonely_steps()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Step, DISABLED_LonelyTest, testing::ValuesIn(names_of_steps()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace weft::test
