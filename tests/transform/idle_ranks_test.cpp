// Ranks that hold nothing: they wait for nobody, and yet take part in what all ranks must agree on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <weft/weft.hpp>

#include "support/error_checks.hpp"
#include "support/one_node.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// Whether all ranks compare each call, or what it has computed.
bool ranks_agree_on_calls() {
  return std::getenv("WEFT_CHECK") != nullptr || std::getenv("WEFT_VERIFY") != nullptr;
}

Plan plan_on(int active, const std::string& options) {
  return Plan(MPI_COMM_WORLD, Transform({8, 6, 10}, Kind::c2c),
              Options::parse("active_ranks=" + std::to_string(active) +
                             ", engine_effort=estimate, decomposition=pencil, " + options));
}

void go_there_and_back(Plan& plan, int times) {
  Array<Complex> in = plan.input<Complex>(), out = plan.output<Complex>();
  for (int time = 0; time < times; ++time) {
    in.for_each(
        [](const Point& point, Complex& element) { element = Complex(point[0], point[2]); });
    plan.forward(in, out);
    plan.backward(out, in);
  }
  in.for_each([](const Point& point, Complex& element) {
    ASSERT_LT(std::abs(element - Complex(point[0], point[2])), 1e-12);
  });
}

/// Who has a part waits for a message that the others send after many calls: it would never arrive
/// if these waited for anybody.
TEST(IdleRanksTest, ReturnAtOnce) {
  if (world_ranks() == 1) GTEST_SKIP() << "no rank is idle";
  if (ranks_agree_on_calls()) GTEST_SKIP() << "all ranks wait for each other in every call";
  for (const std::string& exchange : exchanges_here())
    for (const char* more : {"", ", producer_chunks=2, consumer_chunks=3", ", ranks_per_node=1"}) {
      if (needs_one_node(exchange) && std::string(more).starts_with(", ranks")) continue;
      SCOPED_TRACE(exchange + more);
      Plan plan = plan_on((world_ranks() + 1) / 2, "exchange=" + exchange + more);
      plan.input<Complex>();  // collective
      plan.output<Complex>();
      const bool holds_some = plan.input_layout().position_of(world_rank()) >= 0;
      EXPECT_EQ(plan.input_box().empty(), !holds_some);
      if (!holds_some) go_there_and_back(plan, 20);
      int idle = holds_some ? 0 : 1, all = 0;
      MPI_Allreduce(&idle, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      EXPECT_EQ(all, world_ranks() / 2);
      if (holds_some) go_there_and_back(plan, 20);
    }
}

TEST(IdleRanksTest, AreToldOfMistakes) {
  if (world_ranks() == 1) GTEST_SKIP() << "no rank is idle";
  for (const bool idle_rank_errs : {false, true}) {
    Plan plan = plan_on(1, "check_calls=1");
    Array<Complex> in = plan.input<Complex>(), out = plan.output<Complex>();
    const bool errs = world_rank() == (idle_rank_errs ? world_ranks() - 1 : 0);
    expect_error([&] { errs ? plan.backward(out, in) : plan.forward(in, out); },
                 {"forward", "backward"});
    go_there_and_back(plan, 1);
  }
}

TEST(IdleRanksTest, CertifyResultsWithTheOthers) {
  Plan plan = plan_on(1, "verify=1");
  go_there_and_back(plan, 2);
}

TEST(IdleRanksTest, HaveTransformsInFlight) {
  Plan plan = plan_on((world_ranks() + 1) / 2, "fields=2");
  const auto size = static_cast<std::size_t>(std::max(plan.input_size(), plan.output_size()));
  std::vector<Complex> a(size, 1), b(size, 2), there(size), back(size);
  auto first = plan.start_forward(a.data(), there.data());
  auto second = plan.start_forward(b.data(), back.data());
  second.wait();
  first.wait();
  const auto expect_returned = [&](const std::vector<Complex>& spectrum, double value) {
    std::vector<Complex> returned(size, 7);
    plan.backward(spectrum.data(), returned.data());
    for (Index i = 0; i < plan.input_size(); ++i)
      EXPECT_LT(std::abs(returned[static_cast<std::size_t>(i)] - value), 1e-12);
  };
  expect_returned(there, 1);
  expect_returned(back, 2);
}

/// Where only one side is given, the other is on the same ranks.
TEST(IdleRanksTest, TheOtherSideFollows) {
  const Shape shape{8, 6, 10};
  const int active = (world_ranks() + 1) / 2;
  const Layout spread = Layout::slabs(shape, active, 1).spread(world_ranks());
  const Transform transform(shape, Kind::c2c);
  const Plan forward(MPI_COMM_WORLD, transform, spread, {});
  EXPECT_EQ(forward.output_layout().positions(), active);
  const Plan backward(MPI_COMM_WORLD, transform, {}, spread);
  EXPECT_EQ(backward.input_layout().positions(), active);
  EXPECT_EQ(backward.input_layout().stride_of_ranks(), spread.stride_of_ranks());
}

}  // namespace
}  // namespace weft::test
