// Ranks that call different things are told so by the call itself, whatever the exchange, on one
// node and across nodes: a wrong result is never returned in silence.
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "support/error_checks.hpp"
#include "support/one_node.hpp"
#include "support/ranks.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;

struct Mixup {
  std::string exchange;
  int ranks_per_node;
};

/// Disabled by default: ctest starts them by themselves, as mpi.mixups.
class DISABLED_MixupsTest : public testing::TestWithParam<Mixup> {
 protected:
  /// A cube that is split alike at both ends: the exchanges of both directions move equal blocks,
  /// so that MPI finds nothing wrong.
  Plan plan(const std::string& more = "") const {
    const Index side = 4 * test::world_ranks();
    return Plan(
        MPI_COMM_WORLD, Transform({side, side, side}, Kind::c2c),
        Options::parse("errors=raise, exchange=" + GetParam().exchange +
                       ", ranks_per_node=" + std::to_string(GetParam().ranks_per_node) + more));
  }
  std::vector<Complex> array(const Plan& plan) const {
    return std::vector<Complex>(plan.in_place_bytes() / sizeof(Complex), Complex(1, 2));
  }
};

/// Lets messages of the call before arrive.
void let_mpi_progress() {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int arrived = 0; MPI_Wtime() < begin + 0.05;)
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
}

/// Across nodes a rank may return from the call before another has entered it, and learns of it
/// in the next call.
template <class Call>
void expect_disagreement(Call&& call) {
  std::string error = test::message_of(call).value_or("");
  let_mpi_progress();
  if (error.empty()) error = test::error_of(call);
  EXPECT_TRUE(error.find("ranks disagree") != std::string::npos ||
              error.find("left the call with an error") != std::string::npos)
      << error;
}

TEST_P(DISABLED_MixupsTest, ForwardHereAndBackwardThere) {
  Plan plan = this->plan();
  std::vector<Complex> in = array(plan), out = array(plan);
  plan.forward(in.data(), out.data());
  expect_disagreement([&] {
    test::is_last_rank() ? plan.backward(out.data(), in.data())
                         : plan.forward(in.data(), out.data());
  });
}

TEST_P(DISABLED_MixupsTest, AnotherScale) {
  Plan plan = this->plan();
  std::vector<Complex> in = array(plan), out = array(plan);
  expect_disagreement([&] { plan.forward(in.data(), out.data(), test::is_last_rank() ? 2 : 1); });
}

TEST_P(DISABLED_MixupsTest, AnotherOrderOfStartedTransforms) {
  Plan plan = this->plan(", fields=2");
  std::vector<Complex> a = array(plan), b = array(plan), c = array(plan), d = array(plan);
  expect_disagreement([&] {
    Handle first, second;
    if (test::is_last_rank()) {
      first = plan.start_backward(c.data(), d.data());
      second = plan.start_forward(a.data(), b.data());
    } else {
      first = plan.start_forward(a.data(), b.data());
      second = plan.start_backward(c.data(), d.data());
    }
    first.wait();
    second.wait();
  });
}

/// The one field of the last rank is the first field that the others expect. Transforms in chunks
/// notice; a single collective of MPI may wait for the second field until stall_seconds.
TEST_P(DISABLED_MixupsTest, AnotherNumberOfFields) {
  Plan plan = this->plan(", fields=2, producer_chunks=2");
  std::vector<Complex> a = array(plan), b = array(plan), c = array(plan), d = array(plan);
  expect_disagreement([&] {
    if (test::is_last_rank())
      plan.forward(a.data(), c.data());
    else
      plan.forward(std::vector{a.data(), b.data()}, std::vector{c.data(), d.data()});
  });
}

/// Leaders of two_level wait inside MPI, each for the other's collective, until stall_seconds.
bool between_nodes(const std::string& exchange) {
  return !test::needs_one_node(exchange) && exchange != "two_level";
}

std::vector<Mixup> mixups() {
  std::vector<Mixup> all;
  for (const std::string& exchange : test::exchanges_here())
    for (const int ranks_per_node : {0, 1})
      if (ranks_per_node == 0 || between_nodes(exchange)) all.push_back({exchange, ranks_per_node});
  return all;
}

/// Plans know nothing of each other, so ranks that run two of them in different order wait for
/// ever.
class DISABLED_OrderOfPlansTest : public testing::TestWithParam<std::string> {};

TEST_P(DISABLED_OrderOfPlansTest, DiffersOnOneRank) {
  const auto plan = [] {
    return Plan(MPI_COMM_WORLD, {12, 10, 8}, Kind::c2c,
                Options::parse("stall_seconds=0.5, stall_limit=2, exchange=" + GetParam()));
  };
  Plan first = plan(), second = plan();
  auto in = first.make_input<Complex>(), out = first.make_output<Complex>();
  (test::is_last_rank() ? second : first).forward(in, out);
  (test::is_last_rank() ? first : second).forward(in, out);
}

INSTANTIATE_TEST_SUITE_P(Exchange, DISABLED_OrderOfPlansTest,
                         testing::ValuesIn(test::exchanges_here()),
                         [](const auto& one) { return one.param; });

INSTANTIATE_TEST_SUITE_P(Exchange, DISABLED_MixupsTest, testing::ValuesIn(mixups()),
                         [](const auto& one) {
                           return one.param.exchange +
                                  (one.param.ranks_per_node == 0 ? "_one_node" : "_nodes_of_one");
                         });

}  // namespace
}  // namespace weft
