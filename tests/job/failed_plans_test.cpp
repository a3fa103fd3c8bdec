// Calls that go wrong in the middle, or on one rank alone, and what plans survive.
#include <gtest/gtest.h>

#include <stdexcept>
#include <weft/plan.hpp>

#include "support/deliberate_leaks.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "support/round_trip.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

Plan small_plan(const std::string& options, MPI_Comm communicator = MPI_COMM_WORLD) {
  const Index ranks = ranks_of(communicator);
  return Plan(communicator, Transform({3 * ranks, 4 * ranks}, Kind::c2c), Options::parse(options));
}

/// With arrays that are not the plan's.
void expect_works(Plan& plan) {
  expect_round_trip(plan, plan.make_input<Complex>(), plan.make_output<Complex>(), wavy);
}

struct Thrower {
  std::string name;
  bool (*throws)();  // on this rank
  std::string options;
};

class ThrowingFunctionTest : public testing::TestWithParam<Thrower> {};

/// Each rank gets its own exception or that another has left; none waits, and all know later.
TEST_P(ThrowingFunctionTest, FailsThePlanOnAllRanks) {
  if (!on_one_node()) GTEST_SKIP() << "ranks of other nodes are not told";
  const DeliberateLeaks leaks;
  Plan plan = small_plan("errors=raise, " + GetParam().options);
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  std::string error;
  try {
    plan.apply<Complex>(in, in, [](const SpectrumLine<Complex>&) {
      if (GetParam().throws()) throw std::runtime_error("no such thing");
    });
  } catch (const std::exception& caught) {
    error = caught.what();
  }
  const bool was_told = error.find("has left the call with an error") != std::string::npos;
  EXPECT_TRUE(was_told || (GetParam().throws() && error == "no such thing")) << error;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < 2; ++round)
    expect_error([&] { plan.forward(in, out); }, {"has failed and cannot be used again"});
  Plan other = small_plan(GetParam().options);
  expect_works(other);
}

std::vector<Thrower> throwers() {
  std::vector<Thrower> all;
  for (const auto& [name, throws] :
       {std::pair<std::string, bool (*)()>{"all", [] { return true; }},
        {"last", is_last_rank},
        {"all_but_the_first", [] { return world_ranks() == 1 || world_rank() > 0; }}})
    for (const auto& [form, options] :
         {std::pair<std::string, std::string>{"auto", "exchange=auto"},
          {"three_chunks", "producer_chunks=3, consumer_chunks=3"},
          {"three_chunks_p2p", "producer_chunks=3, consumer_chunks=3, exchange=p2p"},
          {"threads", "threads=2, exchange=p2p"}})
      all.push_back({name + "_" + form, throws, options});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Ranks, ThrowingFunctionTest, testing::ValuesIn(throwers()),
                         [](const auto& one) { return one.param.name; });

TEST(MistakesTest, RecordingWhileOneIsInFlight) {
  Plan plan = small_plan("fields=2");
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  Handle handle = plan.start_forward(in, out);
  expect_error([&] { plan.record(true); }, {"record", "in flight"});
  handle.wait();
  plan.record(true);
  expect_works(plan);
}

/// With check_calls; without it, it ends the job: see AbortTest.
TEST(MistakesTest, AnotherElementTypeOnOneRank) {
  Plan plan = small_plan("check_calls=1");
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  std::vector<std::complex<float>> narrow(in.span().size()), result(out.span().size());
  expect_words(
      error_of([&] { is_last_rank() ? plan.forward(narrow, result) : plan.forward(in, out); }),
      {"forward", "double"});
  expect_works(plan);
}

TEST(MistakesTest, InPlaceOnOneRankIsNone) {
  for (const std::string& exchange : exchanges_here()) {
    Plan plan = small_plan("exchange=" + exchange);
    std::vector<Complex> in(plan.in_place_bytes() / sizeof(Complex)), expected = in, out = in;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = wavy({static_cast<Index>(i), world_rank()});
    plan.forward(in.data(), expected.data());
    std::vector<Complex>& target = is_last_rank() ? in : out;
    plan.forward(in.data(), target.data());
    for (Index i = 0; i < plan.output_size(); ++i)
      EXPECT_LE(
          std::abs(target[static_cast<std::size_t>(i)] - expected[static_cast<std::size_t>(i)]),
          1e-12)
          << exchange;
  }
}

TEST(LifetimesTest, PlansArraysAndHandlesMovedToThemselves) {
  Plan plan = small_plan("fields=2");
  Plan& same_plan = plan;
  plan = std::move(same_plan);
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  auto& same_array = in;
  in = std::move(same_array);
  EXPECT_EQ(static_cast<Index>(in.span().size()), plan.input_size());
  Handle handle = plan.start_forward(in, out);
  Handle& same_handle = handle;
  handle = std::move(same_handle);
  EXPECT_TRUE(handle.test());
  expect_works(plan);
}

TEST(LifetimesTest, CartesianCommunicators) {
  MPI_Comm cartesian = MPI_COMM_NULL;
  const int dimensions[] = {world_ranks()}, periodic[] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dimensions, periodic, 1, &cartesian);
  {
    Plan plan = small_plan("auto", cartesian);
    expect_works(plan);
  }
  MPI_Comm_free(&cartesian);
}

TEST(DISABLED_AbortTest, OneRankPassesAnotherType) {
  Plan plan = small_plan("auto");
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  std::vector<std::complex<float>> narrow(in.span().size()), result(out.span().size());
  is_last_rank() ? plan.forward(narrow, result) : plan.forward(in, out);
}

/// Functions that throw on all ranks, where errors end the job.
TEST(DISABLED_AbortTest, AFunctionThrows) {
  Plan plan = small_plan("producer_chunks=3");
  auto in = plan.make_input<Complex>();
  plan.apply<Complex>(
      in, in, [](const SpectrumLine<Complex>&) { throw std::runtime_error("no such thing"); });
}

}  // namespace
}  // namespace weft::test
