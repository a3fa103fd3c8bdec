// Where /dev/shm is too small for a plan's windows: another method under auto, an error otherwise,
// and never a hang. ctest runs these tests in containers of their own; elsewhere they are skipped.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <weft/plan.hpp>

#include "job/job.hpp"
#include "machine/aligned_buffer.hpp"
#include "machine/huge_page_file.hpp"
#include "mpi/shared_segment.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "support/round_trip.hpp"

namespace weft::test {
namespace {

constexpr double largest = 300e6;  // bytes that a test may well fill

class SharedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    Plan(MPI_COMM_WORLD, {2, 2}, Kind::c2c).close();  // what earlier tests have left is freed
    struct statvfs room {};
    const bool is_known = statvfs("/dev/shm", &room) == 0;
    free_ = is_known ? static_cast<double>(room.f_bavail) * static_cast<double>(room.f_frsize) : 0;
    MPI_Bcast(&free_, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (free_ > largest) GTEST_SKIP() << "/dev/shm is large";
    if (world_ranks() == 1) GTEST_SKIP() << "one rank needs no windows";
  }

  /// A transform whose windows take `part` of what is free.
  Transform transform_of(double part) const {
    const Index plane = 32 * world_ranks() * 32 * world_ranks();
    const auto planes = static_cast<Index>(part * free_ / (16.0 * static_cast<double>(plane)));
    return {{32 * world_ranks(), 32 * world_ranks(), std::max<Index>(2, planes)}, Kind::c2c};
  }

  double free_ = 0;
};

TEST_F(SharedMemoryTest, AutoTakesAnotherMethodAndSaysSo) {
  for (const char* options : {"", "arrays=plan", "fields=2"}) {
    running(std::string("auto with a small /dev/shm, ") + options);
    Plan plan(MPI_COMM_WORLD, transform_of(1.2), Options::parse(options));
    EXPECT_NE(plan.options().exchange, "shared");
    expect_words(plan.describe(), {"because of shared memory"});
    expect_works(plan);
  }
}

TEST_F(SharedMemoryTest, PlansOwnArraysNeedNoWindows) {
  running("windows fit, the plan's own arrays do not");
  Plan plan(MPI_COMM_WORLD, transform_of(0.6));
  expect_works(plan);
}

TEST_F(SharedMemoryTest, WhereSharedWasAskedForItIsAnErrorOnAllRanks) {
  running("exchange=shared with a small /dev/shm");
  expect_error([&] { Plan(MPI_COMM_WORLD, transform_of(1.2), Options::parse("exchange=shared")); },
               {"/dev/shm", "make it larger"});
}

/// Plans that are dropped give their windows back to the next.
TEST_F(SharedMemoryTest, WindowsAreGivenBack) {
  for (int turn = 0; turn < 4; ++turn) {
    running("plan after plan with a small /dev/shm");
    Plan plan(MPI_COMM_WORLD, transform_of(turn == 0 ? 0.5 : 0.45),
              Options::parse("exchange=shared"));
    if (turn % 2 == 0) plan.close();
  }
}

/// A description without a plan names the memory that the plan takes, also where the plan delivers
/// into its own array and has a window less.
TEST(DescribedMemoryTest, IsWhatThePlanTakes) {
  const auto memory_in = [](const std::string& text) {
    const std::size_t begin = text.find("memory: ");
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  const Transform transform({24, 20, 18}, Kind::c2c);
  std::vector<std::string> described;
  for (const std::string arrays : {"any", "plan"}) {
    const Plan plan(MPI_COMM_WORLD, transform, Options::parse("output=natural, arrays=" + arrays));
    described.push_back(memory_in(plan.describe()));
    // Without ranks, the route is seen from rank 0.
    const std::string text =
        describe(transform, plan.options(), world_ranks(), plan.options().ranks_per_node);
    if (world_rank() == 0) {
      EXPECT_EQ(described.back(), memory_in(text));
    }
  }
  if (on_one_node() && world_ranks() > 1) {
    EXPECT_NE(described[0], described[1]);
  }
}

/// With huge pages in the system's reserve, as tests/job/with_huge_pages makes one of 32 MB.
class HugePagesTest : public testing::Test {
 protected:
  void SetUp() override {
    Plan(MPI_COMM_WORLD, {2, 2}, Kind::c2c).close();
    before_ = free_pages();
    if (before_ == 0) GTEST_SKIP() << "no huge pages in reserve";
    if (world_ranks() == 1 || !on_one_node()) GTEST_SKIP() << "windows need ranks of one node";
  }

  /// The smallest that a rank sees: others may still be ahead or behind.
  static int free_pages() {
    MPI_Barrier(MPI_COMM_WORLD);
    int pages = 0;
    std::ifstream("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages") >> pages;
    MPI_Barrier(MPI_COMM_WORLD);
    return pages;
  }

  int before_ = 0;
};

TEST_F(HugePagesTest, HoldTheWindowsWhereTheReserveHasRoom) {
  {
    Plan plan(MPI_COMM_WORLD, {64, 64, 64}, Kind::c2c, Options::parse("exchange=shared"));
    EXPECT_LT(free_pages(), before_);
    expect_words(plan.describe(), {"huge pages"});
    expect_works(plan);
    plan.close();
  }
  EXPECT_EQ(free_pages(), before_);
}

TEST(WindowsTest, LieInHugePagesWhereTheSystemGivesThem) {
  if (world_ranks() == 1 || !on_one_node()) GTEST_SKIP() << "windows need ranks of one node";
  const bool are_given =
      HugePageMapping(HugePageFile::in_own_file_system(huge_page_bytes), huge_page_bytes).begin() !=
      nullptr;
  if (!are_given) GTEST_SKIP() << "this system gives no files of huge pages";
  // Every rank's window is above 2 MB, or they stay with MPI.
  Plan plan(MPI_COMM_WORLD, {64, 64, 48 * world_ranks()}, Kind::c2c,
            Options::parse("exchange=shared"));
  expect_words(plan.describe(), {"lie in huge pages"});
  expect_works(plan);
}

TEST_F(HugePagesTest, AreLeftAloneByWindowsThatNeedMore) {
  if (before_ > 64) GTEST_SKIP() << "the reserve is large";
  const Index planes = before_ * 2 * world_ranks();
  Plan plan(MPI_COMM_WORLD, {planes, 256, 256}, Kind::c2c, Options::parse("exchange=shared"));
  EXPECT_EQ(free_pages(), before_);
  plan.close();
}

TEST_F(HugePagesTest, AreLeftAloneBySmallWindows) {
  Plan plan(MPI_COMM_WORLD, {16, 16, 16}, Kind::c2c, Options::parse("exchange=shared"));
  EXPECT_EQ(free_pages(), before_);
  expect_works(plan);
}

/// Limits the address space of this process, while it lives, to some bytes more than it has.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(rlim_t more) {
    getrlimit(RLIMIT_AS, &before_);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit limited{pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + more,
                         before_.rlim_max};
    setrlimit(RLIMIT_AS, &limited);
  }
  ~AddressSpaceLimit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

/// The MPI would fail on that rank and hang on the others.
TEST(AddressSpaceTest, TooLittleOnOneRankIsAnErrorOnAll) {
  running("a limit on the address space of one rank");
  constexpr std::size_t megabyte = 1 << 20;
  const Job job = join_job(MPI_COMM_WORLD, 0);
  if (job.topology.nodes() > 1) GTEST_SKIP() << "no window is shared by all ranks";
  if (!std::ifstream("/proc/self/statm")) GTEST_SKIP() << "the address space cannot be measured";
  {
    const AddressSpaceLimit limit((is_last_rank() ? 12 : 1000) * megabyte);
    expect_error([&] { SharedSegment(job.node, 16 * megabyte / world_ranks()); },
                 {"address space"});
  }
  SharedSegment(job.node, 16 * megabyte / world_ranks());
}

}  // namespace
}  // namespace weft::test
