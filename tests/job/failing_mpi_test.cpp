// An MPI that fails on one rank where it should on all: an error on all ranks, or the end of the
// job with a message, but no hang.
#include <gtest/gtest.h>
#include <mpi.h>

#include <vector>
#include <weft/plan.hpp>

#include "cases/run_case.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace {

/// How MPI_Win_allocate_shared fails on the last rank.
enum class Failure { none, after_all_have_called, without_calling };

Failure failure = Failure::none;
std::vector<MPI_Win> lost;  // windows that exist, though the call has failed on one rank

}  // namespace

// Found before the library's own.
extern "C" int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm,
                                       void* base, MPI_Win* window) {
  const bool fails = failure != Failure::none && weft::test::is_last_rank();
  if (fails && failure == Failure::without_calling) return MPI_ERR_NO_MEM;
  const int code = PMPI_Win_allocate_shared(bytes, unit, info, comm, base, window);
  if (failure == Failure::none) return code;
  lost.push_back(*window);
  if (!fails) return code;
  *window = MPI_WIN_NULL;
  return MPI_ERR_NO_MEM;
}

namespace weft::test {
namespace {

class FailingMpiTest : public testing::Test {
 protected:
  void SetUp() override {
    if (world_ranks() == 1 || !on_one_node()) GTEST_SKIP() << "no window is shared by all ranks";
    failure = Failure::after_all_have_called;
  }
  void TearDown() override {
    failure = Failure::none;
    for (MPI_Win& window : lost) PMPI_Win_free(&window);
    lost.clear();
  }

  static Case case_of(const std::string& options) {
    Case one;
    one.name = "windows_fail";
    one.transform = Transform({12, 10, 8}, Kind::c2c);
    one.options = Options::parse("engine_effort=estimate, " + options);
    return one;
  }
};

TEST_F(FailingMpiTest, WindowsThatOneRankDoesNotGetAreReplaced) {
  const Case one = case_of("exchange=auto");
  EXPECT_TRUE(check_case(one, MPI_COMM_WORLD));
  const Plan plan = plan_of(one, MPI_COMM_WORLD);
  EXPECT_NE(plan.options().exchange, "shared");
  expect_words(plan.describe(), {"because of shared memory", "MPI_Win_allocate_shared failed"});
}

TEST_F(FailingMpiTest, WhereTheyWereAskedForAllRanksGetTheError) {
  expect_error([] { plan_of(case_of("exchange=shared"), MPI_COMM_WORLD); },
               {"MPI_Win_allocate_shared failed"});
  failure = Failure::none;
  EXPECT_TRUE(check_case(case_of("exchange=shared"), MPI_COMM_WORLD));
}

/// As Open MPI does: the others wait in the call for this rank.
TEST(DISABLED_AbortTest, OneRankCannotAllocateAWindow) {
  failure = Failure::without_calling;
  Plan(MPI_COMM_WORLD, {12, 10, 8}, Kind::c2c);
}

}  // namespace
}  // namespace weft::test
