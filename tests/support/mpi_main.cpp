// Runs GoogleTest on all ranks as one program: a test that fails on any rank fails on all, rank 0
// prints, and a job that hangs is aborted. The price is one small reduction after every test.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <sstream>
#include <thread>
#include <vector>
#include <weft/weft.hpp>

#include "job/job.hpp"
#include "support/one_node.hpp"
#include "support/ranks.hpp"
#include "support/watchdog.hpp"

namespace weft::test {
namespace {

int granted_threads = MPI_THREAD_SINGLE;
int own_rank = 0;
int number_of_ranks = 1;
std::unique_ptr<Watchdog> watchdog;

/// How long the other ranks may take to reach the end of a test that failed on this rank.
constexpr std::chrono::seconds patience_with_others{20};

std::string full_name(const testing::TestInfo& info) {
  return std::string(info.test_suite_name()) + "." + info.name();
}

/// The part of a failure's text that says what was expected and what was found, without the pages
/// of `describe` that may follow.
std::string one_line(const std::string& failure) {
  constexpr std::size_t longest = 400;
  std::istringstream words(failure.substr(0, failure.find("weft plan:")));
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line.size() > longest ? line.substr(0, longest) + " ..." : line;
}

/// Collects the failures of the current test on this rank, as text.
class FailureKeeper : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo&) override { text.clear(); }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    text += std::string(result.file_name() ? result.file_name() : "") + ":" +
            std::to_string(result.line_number()) + ": " + result.message() + "\n";
  }

  std::string text;
};

/// Makes all ranks agree at the end of a test. A separate listener, since GoogleTest forbids
/// listeners that receive failures to raise any.
class Agreement : public testing::EmptyTestEventListener {
 public:
  explicit Agreement(const FailureKeeper& kept) : kept_(kept) {
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
  }
  void OnTestProgramEnd(const testing::UnitTest&) override { MPI_Comm_free(&communicator_); }

  void OnTestStart(const testing::TestInfo& info) override { running(full_name(info)); }

  void OnTestEnd(const testing::TestInfo& info) override {
    const bool failed_here = info.result()->Failed();
    if (any(failed_here, full_name(info))) forward_failures(failed_here, full_name(info));
  }

 private:
  /// Not a blocking reduction: where this rank failed, the others may be stuck waiting for it.
  bool any(bool failed_here, const std::string& test) {
    const int mine = failed_here;
    int all = 0;
    int done = 0;
    MPI_Request request;
    MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MAX, communicator_, &request);
    const auto start = std::chrono::steady_clock::now();
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      if (failed_here && std::chrono::steady_clock::now() - start > patience_with_others)
        abort_job(test + " failed here and others are stuck in it:\n" + kept_.text);
    }
    return all != 0;
  }

  /// Rank 0 prints the others' failures under its own, and last the first of all failures in one
  /// line; elsewhere the test just counts as failed.
  void forward_failures(bool failed_here, const std::string& test) {
    constexpr int longest = 3000;
    constexpr int most_ranks = 3;
    std::vector<char> mine(longest, '\0');
    kept_.text.copy(mine.data(), longest - 1);
    std::vector<char> all(own_rank == 0 ? std::size_t{longest} * number_of_ranks : 0);
    MPI_Gather(mine.data(), longest, MPI_CHAR, all.data(), longest, MPI_CHAR, 0, communicator_);
    std::ostringstream report;
    std::string first = failed_here ? kept_.text : "";
    for (int rank = 1, told = 0; own_rank == 0 && rank < number_of_ranks; ++rank) {
      const std::string text = &all[std::size_t{longest} * rank];
      if (!text.empty() && text != kept_.text && told++ < most_ranks)
        report << "on rank " << rank << ": " << text;
      if (first.empty() && !text.empty()) first = "on rank " + std::to_string(rank) + ": " + text;
    }
    if (!report.str().empty() || !failed_here)
      ADD_FAILURE() << "failed on other ranks\n" << report.str();
    if (own_rank == 0) std::printf("==> %s: %s\n", test.c_str(), one_line(first).c_str());
  }

  const FailureKeeper& kept_;
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

/// Rank 0 keeps GoogleTest's printer and its XML; the others are silent.
void silence_other_ranks() {
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (own_rank == 0) return;
  delete listeners.Release(listeners.default_result_printer());
  delete listeners.Release(listeners.default_xml_generator());
}

/// With --gtest_shuffle every rank must draw the same order.
void share_seed() {
  int seed = testing::GTEST_FLAG(random_seed);
  if (seed == 0)
    seed =
        1 + static_cast<int>(std::chrono::system_clock::now().time_since_epoch().count() % 99999);
  MPI_Bcast(&seed, 1, MPI_INT, 0, MPI_COMM_WORLD);
  testing::GTEST_FLAG(random_seed) = seed;
}

/// WEFT_TEST_THREADS=single or funneled: the levels that most programs request, to test Weft's
/// response.
int wanted_threads() {
  const char* const wanted = std::getenv("WEFT_TEST_THREADS");
  const std::string level = wanted != nullptr ? wanted : "";
  return level == "single"     ? MPI_THREAD_SINGLE
         : level == "funneled" ? MPI_THREAD_FUNNELED
                               : MPI_THREAD_MULTIPLE;
}

/// Runs all tests with this file's listeners. GoogleTest owns them, since MPI_Abort may end the
/// process by `exit`.
int run_tests() {
  watchdog = std::make_unique<Watchdog>(
      std::chrono::seconds(environment_number("WEFT_TEST_TIMEOUT", 120)));
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  auto* const keeper = new FailureKeeper;
  listeners.Append(keeper);
  listeners.Append(new Agreement(*keeper));
  const int result = RUN_ALL_TESTS();
  watchdog.reset();
  return result;
}

bool windows_can_be_made() {
  MPI_Comm tried;
  MPI_Comm_dup(MPI_COMM_WORLD, &tried);
  MPI_Comm_set_errhandler(tried, MPI_ERRORS_RETURN);
  int memory = 0;
  MPI_Win window = MPI_WIN_NULL;
  const int made =
      MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, tried, &window) == MPI_SUCCESS;
  int all_made = 0;
  MPI_Allreduce(&made, &all_made, 1, MPI_INT, MPI_MIN, tried);
  if (all_made != 0) MPI_Win_free(&window);
  MPI_Comm_free(&tried);
  return all_made != 0;
}

}  // namespace

bool on_one_node() {
  static const bool all_are = join_job(MPI_COMM_WORLD, 0).topology.nodes() == 1;
  return all_are;
}

bool on_one_machine() {
  static const bool all_are = [] {
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    const bool all = ranks_of(machine) == world_ranks();
    MPI_Comm_free(&machine);
    return all;
  }();
  return all_are;
}

std::vector<std::string> exchanges_here() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = exchange_names();
    if (!on_one_node()) std::erase_if(all, needs_one_node);
    if (!windows_can_be_made()) std::erase(all, "put");
    return all;
  }();
  return names;
}

bool is_here(const std::string& exchange) {
  const std::vector<std::string> names = exchanges_here();
  return std::ranges::find(names, exchange) != names.end();
}

int rank_of(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int ranks_of(MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  return ranks;
}

int world_rank() { return own_rank; }
int world_ranks() { return number_of_ranks; }
bool threads_may_use_mpi() { return granted_threads == MPI_THREAD_MULTIPLE; }

long new_seed() {
  long seed = static_cast<long>(std::random_device()() % 1'000'000'000);
  MPI_Bcast(&seed, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  return seed;
}

void running(const std::string& what) {
  if (watchdog) watchdog->running(what);
}

int run_all(int argc, char** argv) {
  MPI_Init_thread(&argc, &argv, wanted_threads(), &granted_threads);
  own_rank = rank_of(MPI_COMM_WORLD);
  number_of_ranks = ranks_of(MPI_COMM_WORLD);
  testing::InitGoogleTest(&argc, argv);
  share_seed();
  silence_other_ranks();
  const int result = run_tests();
  MPI_Finalize();
  return result;
}

}  // namespace weft::test

int main(int argc, char** argv) { return weft::test::run_all(argc, argv); }
