// Threads: several per rank, at every thread level of MPI; one plan each; and an error for two in
// one plan. Where there are more threads than cores, a warning.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <weft/plan.hpp>

#include "cases/run_case.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "support/round_trip.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// Run in separate jobs, too, that ask for less of MPI.
TEST(ThreadLevelTest, ThreadsThatComputeNeedNoLevel) {
  Case one;
  one.name = "four_threads";
  one.transform = Transform({12, 10, 8}, Kind::r2c);
  for (const char* options : {"threads=4", "threads=4, producer_chunks=3, exchange=p2p"}) {
    one.options = Options::parse(options);
    EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
  }
}

/// Disabled by default: ctest starts it by itself and reads what it says. No thread is started.
TEST(DISABLED_WarningTest, MoreThreadsThanCores) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  Options options;
  options.threads = std::min(4096, cores + 1);
  Plan(MPI_COMM_WORLD, {8, 8}, Kind::c2c, options);
}

TEST(MistakesTest, TwoThreadsInOnePlan) {
  Plan plan(MPI_COMM_SELF, {8, 8}, Kind::c2c);
  auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  std::atomic<bool> is_inside = false, may_leave = false;
  std::string error;
  std::thread other([&] {
    while (!is_inside) std::this_thread::yield();
    error = error_of([&] { plan.forward(in, out); });
    may_leave = true;
  });
  plan.apply<Complex>(in, in, [&](const SpectrumLine<Complex>&) {
    is_inside = true;
    while (!may_leave) std::this_thread::yield();
  });
  other.join();
  expect_words(error, {"in a call already", "two threads"});
  plan.forward(in, out);
}

class PlansInThreadsTest : public testing::TestWithParam<std::string> {};

/// Planning is collective over the communicator, so one thread makes the plans; they have
/// communicators of their own to run on.
TEST_P(PlansInThreadsTest, OnOneCommunicator) {
  if (!threads_may_use_mpi()) GTEST_SKIP() << "this MPI does not grant MPI_THREAD_MULTIPLE";
  constexpr int count = 2;
  std::vector<Plan> plans;
  for (int number = 0; number < count; ++number)
    plans.emplace_back(MPI_COMM_WORLD, Shape{12, 10, 8}, Kind::c2c,
                       Options::parse("engine_effort=estimate, exchange=" + GetParam()));
  const auto work = [&](int number) {
    Plan& plan = plans[static_cast<std::size_t>(number)];
    const auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
    for (int round = 1; round <= 10; ++round)
      expect_round_trip(plan, in, out, [&](const Point& at) {
        return Complex(number, wavy({at[0], at[1], at[2], round}).imag());
      });
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}

/// Each thread makes plans of communicators that it frees first, as a program may that has one
/// communicator for each thread. Neither may free what the other has left behind.
TEST(OrphansInThreadsTest, AreFreedByTheThreadThatMadeThem) {
  if (!threads_may_use_mpi()) GTEST_SKIP() << "this MPI does not grant MPI_THREAD_MULTIPLE";
  std::array<MPI_Comm, 2> bases;
  for (MPI_Comm& base : bases) MPI_Comm_dup(MPI_COMM_WORLD, &base);
  const auto work = [&](std::size_t number) {
    for (int round = 1; round <= 20; ++round) {
      MPI_Comm own;
      MPI_Comm_dup(bases[number], &own);
      Plan plan(own, {12, 10, 8}, Kind::c2c, Options::parse("exchange=p2p"));
      const auto in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
      MPI_Comm_free(&own);
      expect_round_trip(plan, in, out, [&](const Point& at) {
        return wavy({at[0], at[1], at[2], round});
      });
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  for (MPI_Comm& base : bases) MPI_Comm_free(&base);
}

INSTANTIATE_TEST_SUITE_P(Exchange, PlansInThreadsTest, testing::ValuesIn(exchanges_here()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace weft::test
