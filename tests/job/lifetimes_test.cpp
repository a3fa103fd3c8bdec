// Plans, arrays and handles dropped in any order, and calls in which ranks make mistakes.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <weft/plan.hpp>

#include "cases/cases.hpp"
#include "support/deliberate_leaks.hpp"
#include "support/environment.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "support/round_trip.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

std::vector<std::string> wanted_here(std::vector<std::string> exchanges) {
  std::erase_if(exchanges, [](const std::string& name) { return !is_here(name); });
  return exchanges;
}

Plan small_plan(MPI_Comm communicator, const std::string& options = "") {
  return Plan(communicator, Transform({2 * world_ranks(), 4 * world_ranks()}, Kind::c2c),
              Options::parse(options));
}

class DroppedPlansTest : public testing::TestWithParam<std::string> {};

/// Each rank drops its plans in an order of its own, as a garbage collector would; more of them
/// than an MPI has communicators.
TEST_P(DroppedPlansTest, PlansAreDroppedInAnyOrder) {
  Random random(static_cast<std::uint64_t>(world_rank()) + 1);
  std::vector<std::unique_ptr<Plan>> plans;
  const int turns = world_ranks() <= 3 ? 100 : 10;  // more ranks than cores make plans slowly
  for (int turn = 0; turn < turns; ++turn) {
    running("dropping plans, turn " + std::to_string(turn));
    for (int i = 0; i < 4; ++i)
      plans.push_back(std::make_unique<Plan>(small_plan(MPI_COMM_WORLD, "exchange=" + GetParam())));
    if (turn % 50 == 0) expect_works(*plans.back());
    random.shuffle(plans);
    while (plans.size() > 5) plans.pop_back();
  }
}

/// Methods that have windows, memory of their own in windows, and communicators only.
INSTANTIATE_TEST_SUITE_P(Exchange, DroppedPlansTest,
                         testing::ValuesIn(wanted_here({"shared", "put", "alltoallv"})),
                         [](const auto& one) { return one.param; });

TEST(LifetimesTest, ArraysAndHandlesOutliveTheirPlan) {
  std::optional<Plan> plan(small_plan(MPI_COMM_WORLD));
  auto in = plan->input<Complex>(), out = plan->output<Complex>();
  in.fill(wavy);
  Handle handle = plan->start_forward(in.data(), out.data());
  plan.reset();
  handle.wait();
  Plan other = small_plan(MPI_COMM_WORLD);
  auto expected = other.output<Complex>();
  other.forward(in.data(), expected.data());
  expected.for_each(
      [&](const Point& point, const Complex& element) { EXPECT_EQ(element, out.at(point)); });
}

TEST(LifetimesTest, ClosingFreesAtOnceAndPlansMayBeMovedInto) {
  Plan plan = small_plan(MPI_COMM_WORLD);
  expect_works(plan);
  plan.close();
  plan.close();
  plan = small_plan(MPI_COMM_WORLD);
  expect_works(plan);
}

TEST(LifetimesTest, ACommunicatorMayBeFreedBeforeItsPlans) {
  std::optional<Plan> late, early;
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  early.emplace(small_plan(own));
  late.emplace(small_plan(own));
  early.reset();
  MPI_Comm_free(&own);
  expect_works(*late);
}

int mappings() {
  std::ifstream file("/proc/self/maps");
  return static_cast<int>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
}

/// The next plan for which all of its ranks meet frees its windows: there are never more of them
/// than after the first turns.
TEST(LifetimesTest, PlansOfFreedCommunicatorsDoNotPileUp) {
  if (!on_one_node()) GTEST_SKIP() << "windows of several nodes need another exchange";
  int after_some = 0;
  for (int turn = 0; turn < 40; ++turn) {
    running("plans of freed communicators, turn " + std::to_string(turn));
    for (const bool is_part : {false, true}) {
      MPI_Comm own;
      MPI_Comm_split(MPI_COMM_WORLD, is_part ? world_rank() % 2 : 0, world_rank(), &own);
      std::optional<Plan> plan(small_plan(own, "exchange=shared"));
      auto in = plan->input<Complex>();
      MPI_Comm_free(&own);
      expect_works(*plan);
    }
    if (turn == 9) after_some = mappings();
  }
  EXPECT_LE(mappings(), after_some + 10);
}

/// Communicators of all ranks and of parts of them are made and freed, and plans made, where all
/// ranks agree; each rank drops and closes its plans in an order of its own.
TEST(LifetimesTest, OfPlansAndCommunicatorsInAnyOrder) {
  Random together(11), here(static_cast<std::uint64_t>(world_rank()) + 1);
  std::vector<MPI_Comm> communicators;
  std::vector<std::unique_ptr<Plan>> plans;
  const auto free_communicator = [&] {
    together.shuffle(communicators);
    MPI_Comm_free(&communicators.back());
    communicators.pop_back();
  };
  for (int turn = 0; turn < (world_ranks() <= 3 ? 60 : 10); ++turn) {
    running("plans and communicators, turn " + std::to_string(turn));
    const int parts = static_cast<int>(together.between(1, 2));
    communicators.emplace_back();
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % parts, world_rank(), &communicators.back());
    const std::string exchange = together.pick(wanted_here({"shared", "alltoallv", "auto"}));
    plans.push_back(
        std::make_unique<Plan>(small_plan(together.pick(communicators), "exchange=" + exchange)));
    const bool is_freed_first = together.chance(50);
    if (is_freed_first) free_communicator();
    expect_works(*plans.back());
    if (together.chance(20)) plans.back()->close();
    here.shuffle(plans);
    while (here.chance(50) && !plans.empty()) plans.pop_back();
    if (!is_freed_first && together.chance(50)) free_communicator();
  }
  while (!communicators.empty()) free_communicator();
}

/// Some are dropped on one rank only when MPI ends, all others after it.
TEST(LifetimesTest, PlansMayOutliveMpi) {
  const DeliberateLeaks leaks;
  static std::vector<std::unique_ptr<Plan>> kept;
  for (int i = 0; i < 3; ++i) kept.push_back(std::make_unique<Plan>(small_plan(MPI_COMM_WORLD)));
  static Array<Complex> array = kept.back()->input<Complex>();
  kept[static_cast<std::size_t>(world_rank() % 3)].reset();
  array.fill(wavy);
}

/// A mistake of one rank, and different calls, throw on all ranks, and the plan goes on.
void expect_calls_are_checked(Plan& plan) {
  std::vector<Complex> memory(2 * plan.in_place_bytes());
  const bool is_last = world_rank() + 1 == world_ranks();
  const auto far = static_cast<std::ptrdiff_t>(memory.size() / 2);
  expect_error([&] { plan.forward(memory.data(), memory.data() + (is_last ? 1 : far)); },
               {"overlap"});
  expect_works(plan);
  if (world_ranks() == 1) return;
  expect_error(
      [&] {
        is_last ? plan.forward(memory.data(), memory.data() + far)
                : plan.backward(memory.data(), memory.data() + far);
      },
      {"call", "forward of 1 fields", "backward of 1 fields"});
  expect_works(plan);
}

class MistakesByExchangeTest : public testing::TestWithParam<std::string> {
 protected:
  std::string options(const std::string& more) const { return "exchange=" + GetParam() + more; }
};

TEST_P(MistakesByExchangeTest, OfAllRanksThrowOnAllAndThePlanGoesOn) {
  Plan plan = small_plan(MPI_COMM_WORLD, options(""));
  std::vector<Complex> memory(plan.in_place_bytes());
  expect_error([&] { plan.forward(memory.data(), memory.data() + 1); }, {"overlap"});
  expect_works(plan);
}

TEST_P(MistakesByExchangeTest, OfOneRankThrowOnAllWhereCallsAreChecked) {
  Plan plan = small_plan(MPI_COMM_WORLD, options(", check_calls=1"));
  expect_calls_are_checked(plan);
}

TEST(MistakesTest, OfOneRankThrowOnAllWhereTheEnvironmentHasCallsChecked) {
  const EnvironmentVariable check("WEFT_CHECK", "1");
  Plan plan = small_plan(MPI_COMM_WORLD);
  EXPECT_FALSE(plan.options().check_calls);
  expect_calls_are_checked(plan);
}

/// It has this rank's windows, and would write into them and those of its peers.
TEST(LifetimesTest, AChildMadeByForkMayNotUsePlans) {
  Plan plan = small_plan(MPI_COMM_WORLD);
  auto in = plan.input<Complex>(), out = plan.output<Complex>();
  in.fill(wavy);
  plan.forward(in, out);
  std::fflush(nullptr);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (const auto& call :
         std::vector<std::function<void()>>{[&] { plan.forward(in, out); }, [&] { plan.close(); },
                                            [&] { small_plan(MPI_COMM_SELF); }})
      if (message_of(call).value_or("").find("made by fork") == std::string::npos) _exit(1);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  plan.backward(out, in);
  in.for_each([](const Point& point, const Complex& element) {
    EXPECT_LE(std::abs(element - wavy(point)), 1e-11);
  });
  expect_works(plan);
}

TEST_P(MistakesByExchangeTest, OfOneRankAreRaisedThereAndThePlanHasFailed) {
  if (!on_one_node()) GTEST_SKIP() << "ranks of other nodes are not told";
  const DeliberateLeaks leaks;
  Plan plan =
      small_plan(MPI_COMM_WORLD, options(", errors=raise, producer_chunks=2, consumer_chunks=2"));
  std::vector<Complex> memory(2 * plan.in_place_bytes());
  const bool is_last = world_rank() + 1 == world_ranks();
  const auto far = static_cast<std::ptrdiff_t>(memory.size() / 2);
  expect_error([&] { plan.forward(memory.data(), memory.data() + (is_last ? 1 : far)); },
               {is_last ? "overlap" : "has left the call with an error"});
  if (world_ranks() == 1) return;
  expect_error([&] { plan.forward(memory.data(), memory.data() + far); },
               {"has failed and cannot be used again"});
}

void expect_thrown_out_of_apply(Plan& plan, Array<Complex>& in) {
  try {
    plan.apply<Complex>(
        in, in, [](const SpectrumLine<Complex>&) { throw std::runtime_error("no such thing"); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "no such thing");
  }
}

/// A callback that throws stops one rank in the middle.
TEST_P(MistakesByExchangeTest, AnErrorInAFunctionFailsThePlan) {
  if (world_ranks() > 1) GTEST_SKIP() << "ends the job";
  Plan plan = small_plan(MPI_COMM_WORLD, options(""));
  auto in = plan.input<Complex>();
  in.fill(wavy);
  expect_thrown_out_of_apply(plan, in);
  auto out = plan.make_output<Complex>();
  expect_error([&] { plan.forward(in, out); }, {"has failed"});
}

/// With several threads, too: an exception must not leave an OpenMP region.
TEST(MistakesTest, AnErrorInAFunctionThatThreadsRun) {
  if (world_ranks() > 1) GTEST_SKIP() << "ends the job";
  Plan plan(MPI_COMM_WORLD, {16, 16, 16}, Kind::c2c, Options::parse("threads=2"));
  auto in = plan.input<Complex>();
  in.fill(wavy);
  expect_thrown_out_of_apply(plan, in);
}

TEST(MistakesTest, CallsFromAFunctionOfThePlan) {
  if (world_ranks() > 1) GTEST_SKIP() << "ends the job";
  Plan plan = small_plan(MPI_COMM_WORLD);
  auto in = plan.input<Complex>(), out = plan.output<Complex>();
  in.fill(wavy);
  expect_error(
      [&] {
        plan.apply<Complex>(in.data(), in.data(),
                            [&](const SpectrumLine<Complex>&) { plan.forward(in, out); });
      },
      {"in a call already"});
}

TEST(MistakesTest, EmptyFunctionsAndPlansThatHaveGone) {
  Plan plan = small_plan(MPI_COMM_WORLD);
  auto in = plan.input<Complex>(), out = plan.output<Complex>();
  in.fill(wavy);
  expect_error([&] { plan.apply<Complex>(in.data(), in.data(), LineFunction<Complex>()); },
               {"function is empty"});
  expect_works(plan);
  Plan other = std::move(plan);
  for (const auto& call : std::vector<std::function<void()>>{
           [&] { plan.forward(in, out); }, [&] { plan.input<Complex>(); }, [&] { plan.describe(); },
           [&] { plan.start_forward(in.data(), out.data()); }})
    expect_error(call, {"moved from or closed"});
  expect_works(other);
}

TEST(MistakesTest, ArraysOfTransformsInFlight) {
  Plan plan = small_plan(MPI_COMM_WORLD, "fields=3, producer_chunks=2");
  const auto size = static_cast<std::size_t>(plan.in_place_bytes() / sizeof(Complex));
  std::vector<Complex> in(size), out(size), other(size);
  Handle handle = plan.start_forward(in.data(), out.data());
  for (const auto& start : std::vector<std::function<Handle()>>{
           [&] { return plan.start_forward(other.data(), out.data()); },
           [&] { return plan.start_forward(other.data(), in.data()); },
           [&] { return plan.start_forward(out.data(), other.data()); }})
    expect_error([&] { start().wait(); }, {"in flight"});
  plan.start_forward(in.data(), other.data()).wait();
}

/// One on which exchanges go on and one by one; failing plans are not freed, so few.
INSTANTIATE_TEST_SUITE_P(Exchange, MistakesByExchangeTest,
                         testing::Values("auto", "alltoallv", "p2p"),
                         [](const auto& one) { return one.param; });

/// Disabled by default: ctest starts them, and expects the message. The other ranks call nothing.
class DISABLED_StallTest : public testing::TestWithParam<std::string> {};

TEST_P(DISABLED_StallTest, OneRankCallsAlone) {
  Plan plan =
      small_plan(MPI_COMM_WORLD, "stall_seconds=0.5, stall_limit=2, exchange=" + GetParam());
  auto in = plan.input<Complex>(), out = plan.output<Complex>();
  in.fill(wavy);
  plan.forward(in, out);
  if (world_rank() == 0) plan.backward(out, in);
  MPI_Barrier(MPI_COMM_WORLD);
}

INSTANTIATE_TEST_SUITE_P(Exchange, DISABLED_StallTest, testing::ValuesIn(exchange_names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace weft::test
