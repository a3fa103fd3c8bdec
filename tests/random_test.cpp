// Cases from a seeded generator. WEFT_RANDOM_CASES (500) are distributed over the six rank counts
// of the test list; WEFT_RANDOM_SEED repeats the case of that seed.
#include <gtest/gtest.h>

#include "ranks.hpp"
#include "run_case.hpp"
#include "watchdog.hpp"

namespace weft::test {
namespace {

constexpr long rank_counts = 6;

std::vector<long> seeds() {
  const long one = environment_number("WEFT_RANDOM_SEED", -1);
  if (one >= 0) return {one};
  const long count = environment_number("WEFT_RANDOM_CASES", 500);
  std::vector<long> all;
  for (long seed = 0; seed < (count + rank_counts - 1) / rank_counts; ++seed) all.push_back(seed);
  return all;
}

std::vector<std::string> with_auto(std::vector<std::string> names) {
  names.push_back("auto");
  return names;
}

class RandomTest : public testing::TestWithParam<long> {};

TEST_P(RandomTest, IsRightBothWays) {
  const std::string seed = std::to_string(GetParam());
  SCOPED_TRACE("again: WEFT_RANDOM_SEED=" + seed + " mpiexec -n " + std::to_string(world_ranks()) +
               " weft_mpi_tests --gtest_filter='*RandomTest*'");
  Case one = random_case(static_cast<std::uint64_t>(GetParam()), world_ranks(),
                         with_auto(exchanges_here()), with_auto(engine_names()));
  if (check_case(one, MPI_COMM_WORLD)) return;
  one.options.engine = "auto";
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD)) << "no engine has the kinds";
}

INSTANTIATE_TEST_SUITE_P(Seed, RandomTest, testing::ValuesIn(seeds()),
                         [](const auto& one) { return std::to_string(one.param); });

}  // namespace
}  // namespace weft::test
