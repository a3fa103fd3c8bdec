// Every status of the C interface, what sentences name beyond one argument, and WEFT_OPTIONS.
#include <gtest/gtest.h>
#include <mpi.h>
#include <weft/weft.h>

#include <complex>
#include <stdexcept>
#include <string>
#include <vector>
#include <weft/weft.hpp>

#include "c/c_checks.hpp"
#include "support/deliberate_leaks.hpp"
#include "support/environment.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"
#include "support/sanitizers.hpp"
#include "verify/corruption.hpp"

namespace {

bool duplicating_fails = false;

}  // namespace

// An MPI that fails: found before the library's own.
extern "C" int MPI_Comm_dup(MPI_Comm original, MPI_Comm* copy) {
  return duplicating_fails ? MPI_ERR_OTHER : PMPI_Comm_dup(original, copy);
}

namespace weft::test {
namespace {

using Complex = std::complex<double>;

constexpr int64_t lengths[] = {8, 6, 4};
const Shape shape{8, 6, 4};

void expect_failure(weft_status expected, weft_status status,
                    std::initializer_list<std::string> words) {
  EXPECT_EQ(status, expected) << weft_error();
  expect_words(weft_error(), words);
}

void expect_mistake(weft_status status, std::initializer_list<std::string> words) {
  expect_failure(WEFT_ERROR_ARGUMENT, status, words);
}

TEST(CErrorsTest, PlansNameWhatIsWrong) {
  weft_plan plan = nullptr;
  const auto expect_wrong = [&](const char* text, std::initializer_list<std::string> words) {
    expect_mistake(weft_plan_create(MPI_COMM_WORLD, 3, lengths, text, &plan), words);
    EXPECT_EQ(plan, nullptr);
  };
  expect_wrong("kind=fft", {"fft", "c2c"});
  expect_wrong("kind=c2c colour=red", {"colour=red", "precision", "exchange"});
  expect_wrong("kind=c2c exchange=pigeon", {"pigeon", "alltoallv"});
  expect_wrong("kind=c2c shape=8x8x8", {"shape"});
  expect_wrong("", {"kind"});
  expect_wrong(nullptr, {"kind"});
  const int64_t odd[] = {8, -2, 4};
  expect_mistake(weft_plan_create(MPI_COMM_WORLD, 3, odd, "kind=c2c", &plan), {"-2"});
  expect_mistake(weft_plan_create(MPI_COMM_WORLD, 0, lengths, "kind=c2c", &plan), {"axes"});
  expect_mistake(weft_plan_create(MPI_COMM_WORLD, 9, lengths, "kind=c2c", &plan), {"axes"});
  expect_mistake(weft_plan_create(MPI_COMM_NULL, 3, lengths, "kind=c2c", &plan), {"communicator"});
}

// One rank's mistake is every rank's error, and the next plan works.
TEST(CErrorsTest, PlanningErrorsOfOneRankAreThoseOfAll) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  weft_plan plan = nullptr;
  const int64_t other[] = {8, 6, is_last_rank() ? 5 : 4};
  expect_mistake(weft_plan_create(MPI_COMM_WORLD, 3, other, "kind=c2c", &plan), {"shape", "8x6x5"});
  EXPECT_EQ(plan, nullptr);
  const CPlan next(shape, "kind=c2c");
}

TEST(CErrorsTest, NothingIsDroppedWhereThereIsNothing) {
  weft_plan none = nullptr;
  weft_plan_drop(nullptr);
  weft_layout_drop(nullptr);
  weft_array_drop(nullptr);
  weft_plan_drop(&none);
  EXPECT_EQ(weft_array_data(nullptr), nullptr);
}

TEST(CErrorsTest, LayoutsNameWhatIsWrong) {
  weft_layout layout = nullptr;
  const int grid[] = {2, 2}, split[] = {0, 3};
  expect_mistake(weft_layout_grid(3, lengths, 2, grid, split, &layout), {"split", "3"});
  const weft_box boxes[] = {{3, {0, 0, 0}, {8, 6, 3}}, {9, {0}, {0}}};
  expect_mistake(weft_layout_boxes(3, lengths, 1, boxes, &layout), {"elements"});
  expect_mistake(weft_layout_boxes(3, lengths, 2, boxes, &layout), {"9 axes"});
  EXPECT_EQ(layout, nullptr);
  expect_success(weft_layout_slabs(3, lengths, 2, 0, &layout));
  expect_mistake(weft_layout_partition(layout, "halves"), {"halves", "blocks"});
  weft_part part;
  expect_mistake(weft_layout_part(layout, 2, &part), {"rank", "2"});
  expect_success(weft_layout_part(layout, 1, &part));
  weft_layout_drop(&layout);
}

TEST(CErrorsTest, MistakesOfAllRanksInCallsAreReturned) {
  const CPlan plan(shape, "kind=c2c");
  std::vector<Complex> memory(2 * 8 * 6 * 4 + 2);
  for (int round = 0; round < 2; ++round)
    expect_mistake(weft_forward(plan, memory.data(), memory.data() + 1), {"overlap"});
  expect_mistake(weft_run(plan, WEFT_FORWARD, -1, nullptr, nullptr, 1), {"field"});
  expect_mistake(weft_apply(plan, memory.data(), memory.data(), nullptr, nullptr), {"function"});
  expect_success(weft_forward(plan, memory.data(), memory.data()));
}

TEST(CErrorsTest, MistakesOfOneRankAreReturnedWhereCallsAreChecked) {
  const CPlan plan(shape, "kind=c2c check_calls=1 errors=raise");
  std::vector<Complex> in(200), out(200);
  expect_mistake(weft_forward(plan, is_last_rank() ? nullptr : in.data(), out.data()), {"null"});
  expect_success(weft_forward(plan, in.data(), out.data()));
  double mean = 0;
  expect_mistake(weft_mean_square(plan, WEFT_INPUT, is_last_rank() ? nullptr : in.data(), &mean),
                 {});
  expect_success(weft_mean_square(plan, WEFT_INPUT, in.data(), &mean));
}

TEST(CErrorsTest, AnMpiThatFails) {
  weft_plan plan = nullptr;
  duplicating_fails = true;
  const weft_status status = weft_plan_create(MPI_COMM_WORLD, 3, lengths, "kind=c2c", &plan);
  duplicating_fails = false;
  expect_failure(WEFT_ERROR_MPI, status, {"MPI_Comm_dup"});
  const CPlan next(shape, "kind=c2c");
}

TEST(CErrorsTest, TooLittleMemory) {
#if WEFT_TESTS_ADDRESSES || WEFT_TESTS_THREADS
  GTEST_SKIP() << "sanitizers end the process instead";
#endif
  weft_plan plan = nullptr;
  const int64_t huge[] = {512, 512, 512, 512, 512, 512};
  expect_failure(WEFT_ERROR_MEMORY,
                 weft_plan_create(MPI_COMM_SELF, 6, huge, "kind=c2c exchange=alltoallv", &plan),
                 {"out of memory", "bytes", "buffers between passes"});
  EXPECT_EQ(plan, nullptr);
}

TEST(CErrorsTest, AlteredData) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank sends nothing";
  const CPlan plan({24, 18, 20}, "kind=c2c verify=1 exchange=p2p");
  std::vector<Complex> in(24 * 18 * 20, Complex(1, 2)), out(in.size());
  if (world_rank() == 0)
    corrupt_next({Moment::sending, {1}, 0, [](const std::vector<Bytes>& blocks) {
                    *reinterpret_cast<double*>(blocks[0].data() + 64) = 1e6;
                  }});
  expect_failure(WEFT_ERROR_DATA, weft_forward(plan, in.data(), out.data()),
                 {"from rank 0", "to rank 1"});
  EXPECT_TRUE(world_rank() != 0 || was_corrupted());
  expect_success(weft_forward(plan, in.data(), out.data()));
}

extern "C" void throw_anything(const weft_line*, void* user) { throw *static_cast<int*>(user); }
extern "C" void throw_standard(const weft_line*, void*) { throw std::range_error("too far"); }

TEST(CErrorsTest, FunctionsThatThrow) {
  const DeliberateLeaks leaks;  // plans that have failed are not freed
  for (const weft_line_function function : {throw_anything, throw_standard}) {
    const CPlan plan(shape, "kind=c2c", MPI_COMM_SELF);
    std::vector<Complex> memory(8 * 6 * 4);
    int thrown = 42;
    expect_failure(WEFT_ERROR_INTERNAL,
                   weft_apply(plan, memory.data(), memory.data(), function, &thrown),
                   {function == throw_standard ? "too far" : "not a std::exception"});
    expect_mistake(weft_forward(plan, memory.data(), memory.data()), {"has failed"});
  }
}

TEST(CTest, TuningReturnsChoices) {
  char best[500];
  expect_success(weft_tune(MPI_COMM_WORLD, 3, lengths, "kind=c2c engine=weft", nullptr, nullptr,
                           0.02, best, sizeof best, nullptr));
  EXPECT_EQ(Options::parse(best).engine, "weft") << best;
  expect_mistake(
      weft_tune(MPI_COMM_WORLD, 3, lengths, "kind=c2c", nullptr, nullptr, -1, nullptr, 0, nullptr),
      {"seconds"});
}

TEST(CTest, PlacesRanks) {
  const int grid[] = {1, world_ranks()};
  MPI_Comm placed = MPI_COMM_NULL;
  expect_success(weft_place(MPI_COMM_WORLD, 2, grid, "torus:64", &placed));
  EXPECT_EQ(ranks_of(placed), world_ranks());
  MPI_Comm_free(&placed);
  expect_mistake(weft_place(MPI_COMM_WORLD, 2, grid, "ring:64", &placed),
                 {"network", "\"ring:64\""});
  expect_mistake(weft_place(MPI_COMM_WORLD, 0, grid, nullptr, &placed), {"grid"});
}

TEST(CTest, DescribesJobsThatAreNotThere) {
  const Request request = Request::parse("shape=8x6x4 kind=r2c exchange=p2p");
  EXPECT_EQ(text_of([](auto... to) {
              return weft_describe_ranks(3, lengths, "kind=r2c exchange=p2p", 16, 4, to...);
            }),
            describe(request.transform, request.options, 16, 4));
  EXPECT_EQ(weft_version(), version());
}

/// An environment variable that is set on rank 0 alone.
class OnRankZero : EnvironmentVariable {
 public:
  OnRankZero(const char* name, const char* text) : EnvironmentVariable(name) {
    if (world_rank() == 0) set(text);
  }
};

TEST(EnvironmentTest, OptionsCompleteWhatProgramsLeaveOpen) {
  Options options;
  options.exchange = "alltoallv";
  {
    const OnRankZero environment("WEFT_OPTIONS", "output=natural exchange=p2p, threads=2");
    Plan plan(MPI_COMM_WORLD, Transform({8, 6, 4}, Kind::c2c), options);
    EXPECT_EQ(plan.options().output, OutputLayout::natural);
    EXPECT_EQ(plan.options().threads, 2);
    EXPECT_EQ(plan.options().exchange, "alltoallv") << "the program has said so";
  }
  for (const char* wrong : {"output=sideways", "ranks_per_node=2", "kind=c2c"}) {
    const OnRankZero environment("WEFT_OPTIONS", wrong);
    expect_error(
        [&] {
          Plan(MPI_COMM_WORLD, {8, 6, 4}, Kind::c2c, options);
        },
        {"WEFT_OPTIONS", wrong});
  }
}

TEST(EnvironmentTest, AVariableOfOneOptionTakesItsValues) {
  const auto make = [] { Plan(MPI_COMM_WORLD, {8, 6, 4}, Kind::c2c); };
  const std::vector<std::pair<const char*, const char*>> right{
      {"WEFT_VERIFY", "1"}, {"WEFT_CHECK", "0"}, {"WEFT_CHECK", ""}, {"WEFT_RANKS_PER_NODE", "1"}};
  for (const auto& [name, value] : right) {
    const OnRankZero environment(name, value);
    EXPECT_NO_THROW(make()) << name << "=" << value;
  }
  for (const char* name : {"WEFT_VERIFY", "WEFT_CHECK", "WEFT_RANKS_PER_NODE"})
    for (const char* value : {"true", "1x", "-1"}) {
      const OnRankZero environment(name, value);
      expect_error(make, {name, value, "valid"});
    }
}

}  // namespace
}  // namespace weft::test
