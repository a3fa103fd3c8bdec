// Cases from a seeded generator, other ones in each run, so that every run of the suite tries what
// no run before it did; a failure names the seed that repeats it. WEFT_RANDOM_CASES (500) are
// distributed over the six rank counts of the test list; WEFT_RANDOM_SEED repeats the case of that
// seed, or with WEFT_RANDOM_CASES all of a run that began with it.
#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>

#include "cases/run_case.hpp"
#include "support/ranks.hpp"
#include "support/watchdog.hpp"

namespace weft::test {
namespace {

constexpr long rank_counts = 6;

long first_seed = 0;  ///< of this run

std::vector<long> seeds() {
  const long given = environment_number("WEFT_RANDOM_SEED", -1);
  const long count = environment_number("WEFT_RANDOM_CASES", given < 0 ? 500 : 1);
  first_seed = given < 0 ? new_seed() : given;
  std::vector<long> all(static_cast<std::size_t>((count + rank_counts - 1) / rank_counts));
  std::iota(all.begin(), all.end(), first_seed);
  return all;
}

std::vector<std::string> with_auto(std::vector<std::string> names) {
  names.push_back("auto");
  return names;
}

class RandomTest : public testing::TestWithParam<long> {
 protected:
  static void SetUpTestSuite() {
    if (world_rank() == 0)
      std::printf("random cases from WEFT_RANDOM_SEED=%ld on, on %d ranks\n", first_seed,
                  world_ranks());
  }
};

TEST_P(RandomTest, IsRightBothWays) {
  const std::string seed = std::to_string(GetParam());
  SCOPED_TRACE("the same case again: WEFT_RANDOM_SEED=" + seed + " mpiexec -n " +
               std::to_string(world_ranks()) + " weft_mpi_tests --gtest_filter='*RandomTest*'");
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
