// The exchange in place, which only some plans support: that its results are right, that
// unsupported plans are refused, and that it really allocates no second array.
#include <gtest/gtest.h>

#include <array>

#include "cases/run_case.hpp"
#include "support/allocations.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

Options in_place_options(const std::string& more = "") {
  return Options::parse("exchange=pairwise_in_place, decomposition=slab, engine_effort=estimate" +
                        more);
}

Case case_of(const Shape& shape, Kind kind, Precision precision = Precision::double_) {
  Case one;
  one.name = "in_place";
  one.transform = Transform(shape, std::vector<Kind>(shape.size(), kind), precision);
  one.options = in_place_options();
  one.memories = every_memory;
  return one;
}

/// Extents of which the first two divide by the number of ranks.
std::vector<Shape> shapes() {
  const Index p = world_ranks();
  return {{2 * p, 3 * p},    {p, p},           {3 * p, p, 7},
          {2 * p, 4 * p, 5}, {p, 2 * p, 3, 4}, {2 * p, p, 1, 9}};
}

TEST(InPlaceTest, IsRightBothWays) {
  for (const Shape& shape : shapes())
    for (const Kind kind : {Kind::c2c, Kind::dct2})
      for (const Precision precision : {Precision::double_, Precision::single_})
        check_case(case_of(shape, kind, precision), MPI_COMM_WORLD);
}

TEST(InPlaceTest, NaturalOutput) {
  for (const Shape& shape : shapes()) {
    Case one = case_of(shape, Kind::c2c);
    one.options.output = OutputLayout::natural;
    check_case(one, MPI_COMM_WORLD);
  }
}

TEST(InPlaceTest, ChunksThreadsFieldsAndSmallMessages) {
  const Index p = world_ranks();
  for (const char* more : {", producer_chunks=3", ", producer_chunks=2, consumer_chunks=3",
                           ", threads=2", ", fields=2", ", count_limit=100"}) {
    Case one = case_of({2 * p, 3 * p, 8}, Kind::c2c);
    one.options = in_place_options(more);
    if (one.options.fields > 1) one.memories = {Memory::user, Memory::in_place};
    check_case(one, MPI_COMM_WORLD);
  }
}

TEST(InPlaceTest, OtherAxesAndOrders) {
  const int p = world_ranks();
  const Shape shape{4, 2 * p, 3 * p};
  for (const Order& order : {Order{2, 1, 0}, Order{1, 2, 0}}) {
    Case one = case_of(shape, Kind::c2c);
    one.layouts = {Layout::slabs(shape, p, order[0]).ordered(order),
                   Layout::slabs(shape, p, order[1]).ordered(order)};
    check_case(one, MPI_COMM_WORLD);
    std::swap(one.layouts->first, one.layouts->second);
    check_case(one, MPI_COMM_WORLD);
  }
}

TEST(InPlaceTest, SomeOfTheRanks) {
  for (const int active : {1, (world_ranks() + 1) / 2}) {
    Case one = case_of({6 * active, 2 * active, 5}, Kind::c2c);
    one.options.active_ranks = active;
    check_case(one, MPI_COMM_WORLD);
  }
}

/// Three axes that every rank holds whole, fewer planes than ranks, and nothing to move between
/// passes.
TEST(InPlaceTest, PassesOnTheSameBoxes) {
  Case one = case_of({std::max<Index>(1, world_ranks() - 1), 4, 5, 6}, Kind::c2c);
  one.transform.kinds[0] = Kind::none;
  one.layouts = {Layout::slabs(one.transform.shape, world_ranks()),
                 Layout::slabs(one.transform.shape, world_ranks())};
  check_case(one, MPI_COMM_WORLD);
}

/// An array that no machine holds has more planes than memory could list.
TEST(InPlaceTest, PlanningTakesNoMemoryThatGrowsWithTheArray) {
  const Plan plan(MPI_COMM_SELF, Shape{512, 512, 512, 512, 512, 512}, Kind::c2c,
                  in_place_options());
  EXPECT_LT(plan.workspace_bytes(), std::size_t{1} << 27);
}

/// One of more than two pieces for every partner.
TEST(InPlaceTest, LargeBlocks) {
  const Index p = world_ranks();
  Case one = case_of({4 * p, 2 * p, 12000}, Kind::none);
  one.transform.kinds[2] = Kind::none;
  one.transform.kinds[0] = Kind::c2c;
  check_case(one, MPI_COMM_WORLD);
}

TEST(InPlaceTest, ManyRunsOfSeveralPlans) {
  const Index p = world_ranks();
  const Case first = case_of({2 * p, p, 6}, Kind::c2c), second = case_of({p, 3 * p}, Kind::c2c);
  Plan one = plan_of(first, MPI_COMM_WORLD), other = plan_of(second, MPI_COMM_WORLD);
  for (int round = 0; round < 3; ++round) {
    check_plan(first, one, MPI_COMM_WORLD);
    check_plan(second, other, MPI_COMM_WORLD);
  }
}

using Complex = std::complex<double>;

/// Of one field, for i times its spectrum.
TEST(InPlaceTest, Apply) {
  const Index p = world_ranks();
  Plan plan(MPI_COMM_WORLD, Shape{2 * p, 3 * p, 4}, Kind::c2c, in_place_options());
  const auto entry = [](std::size_t i) { return Complex(1.0 + static_cast<double>(i % 17), 2.0); };
  std::vector<Complex> in(static_cast<std::size_t>(plan.input_size()));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = entry(i);
  const auto times = [](Complex factor) {
    return LineFunction<Complex>([factor](const SpectrumLine<Complex>& line) {
      for (Complex& value : line.values) value *= factor;
    });
  };
  const auto expect = [&](const std::vector<Complex>& values, Complex factor) {
    double worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      worst = std::max(worst, std::abs(values[i] - factor * entry(i)));
    EXPECT_LT(worst, 1e-11);
  };
  std::vector<Complex> twice(in.size()), thrice(in.size());
  plan.apply<Complex>(in.data(), std::array{twice.data(), thrice.data()},
                      {times(2), times({0, 3})});
  expect(twice, 2);
  expect(thrice, {0, 3});
  plan.apply<Complex>(in.data(), in.data(), times({0, 1}));
  expect(in, {0, 1});
}

// --- What cannot be done ------------------------------------------------------------------------

TEST(InPlaceTest, SaysWhatCannotBeDone) {
  const Index p = world_ranks();
  const Shape good{2 * p, 2 * p, 4};
  const auto plan = [](const Transform& transform, const Options& options) {
    return [=] { Plan(MPI_COMM_WORLD, transform, options); };
  };
  Transform round(good, Kind::c2c);
  round.ellipse.assign(static_cast<std::size_t>(good.size()), 1e6);
  round.ellipse.back() = 1;
  expect_error(plan(round, in_place_options()), {"pairwise_in_place", "modes"});
  Options shorter = in_place_options();
  shorter.wire = Wire::single_;
  expect_error(plan(Transform(good, Kind::c2c), shorter), {"pairwise_in_place", "wire=exact"});
  expect_error(plan(Transform(good, Kind::r2c), in_place_options()),
               {"pairwise_in_place", "real", "c2c"});
  if (p == 1) return;
  expect_error(plan(Transform({2 * p, 2 * p + 1, 4}, Kind::c2c), in_place_options()),
               {"pairwise_in_place", "axis 1", std::to_string(2 * p + 1), "multiple"});
  expect_error(plan(Transform({2 * p + 1, 2 * p, 4}, Kind::c2c), in_place_options()),
               {"pairwise_in_place", "axis 0", std::to_string(2 * p + 1), "multiple"});
  Options pencils = in_place_options();
  pencils.decomposition = Decomposition::pencil;
  pencils.grid = {static_cast<int>(p), 1};
  if (p >= 4 && p % 2 == 0) {
    pencils.grid = {static_cast<int>(p) / 2, 2};
    expect_error(plan(Transform(good, Kind::c2c), pencils), {"pairwise_in_place", "slab"});
    const auto ranks = static_cast<int>(p);
    const Transform planes(good, {Kind::none, Kind::c2c, Kind::c2c});
    const Layout all = Layout::slabs(good, ranks, 0);
    const Layout half = Layout::slabs(good, ranks / 2, 1).spread(ranks);
    expect_error([&] { Plan(MPI_COMM_WORLD, planes, all, half, in_place_options()); },
                 {"pairwise_in_place", "same ranks"});
    const Layout near = Layout::slabs(good, ranks / 2, 0).spread(ranks, 1);
    expect_error([&] { Plan(MPI_COMM_WORLD, planes, near, half, in_place_options()); },
                 {"pairwise_in_place", "same ranks"});
  }
}

TEST(InPlaceTest, SaysWhichOrdersItNeeds) {
  const int p = world_ranks();
  if (p == 1) return;
  const Shape shape{2 * p, 2 * p, 4};
  const auto plan = [&](const Layout& input, const Layout& output) {
    return [=] {
      Plan(MPI_COMM_WORLD, Transform(shape, Kind::c2c), input, output, in_place_options());
    };
  };
  expect_error(plan(Layout::slabs(shape, p, 0), Layout::slabs(shape, p, 1).ordered({1, 0, 2})),
               {"pairwise_in_place", "order", "1 0 2", "same order"});
  const Order fastest_split{2, 1, 0};
  expect_error(plan(Layout::slabs(shape, p, 0).ordered(fastest_split),
                    Layout::slabs(shape, p, 1).ordered(fastest_split)),
               {"pairwise_in_place", "order 2 1 0", "two slowest"});
  std::vector<Box> turned = Layout::slabs(shape, p, 0).boxes();
  std::rotate(turned.begin(), turned.begin() + 1, turned.end());
  expect_error(plan(Layout::boxes(shape, turned), Layout::slabs(shape, p, 1)),
               {"pairwise_in_place", "order of ranks"});
}

TEST(InPlaceTest, IsListedApart) {
  const auto has = [](const std::vector<std::string>& names) {
    return std::ranges::count(names, "pairwise_in_place") == 1;
  };
  EXPECT_TRUE(has(all_exchange_names()));
  EXPECT_FALSE(has(exchange_names()));
  expect_error([] { Options::parse("exchange=pigeon"); }, {"pigeon", "pairwise_in_place"});
}

// --- Memory -------------------------------------------------------------------------------------

/// Bytes that a plan, one in-place transform and its inverse allocate, for 16 MB per rank.
struct Taken {
  std::size_t largest = 0;
  std::size_t most_live = 0;
  std::size_t array = 0;
  std::size_t workspace = 0;
  std::size_t tiles = 0;  ///< depends on the machine's caches, not on the array
};

Taken taken_by(const std::string& options) {
  const Index p = world_ranks();
  const Transform transform({16 * p, 16 * p, std::max<Index>(1, 4096 / p)}, Kind::c2c);
  Options parsed = Options::parse("engine_effort=estimate, decomposition=slab" + options);
  std::vector<Complex> array(
      static_cast<std::size_t>(transform.shape[0] / p * transform.shape[1] * transform.shape[2]));
  { Plan warmed_up(MPI_COMM_WORLD, Shape{p, p}, Kind::c2c); }
  const CountedAllocations counted;
  Plan plan(MPI_COMM_WORLD, transform, parsed);
  plan.forward(array.data(), array.data());
  plan.backward(array.data(), array.data());
  const Allocations allocations = counted.so_far();
  return {allocations.largest, allocations.most_live, plan.in_place_bytes(), plan.workspace_bytes(),
          plan.tile_bytes()};
}

/// Checks that memory that grows with the array stays below an eighth of the array.
void expect_tiles_only(const Taken& taken) {
  ASSERT_GE(taken.array, std::size_t{8} << 20);
  EXPECT_LT(taken.largest, std::max(taken.array / 8, taken.tiles))
      << "bytes of the largest allocation, of which none should hold an array's part";
  EXPECT_LT(taken.most_live, taken.array / 8 + taken.tiles)
      << "bytes allocated at a time, tiles of " << taken.tiles << " included";
}

TEST(InPlaceTest, TakesNoSecondArray) {
  if (!CountedAllocations::possible()) GTEST_SKIP() << "allocations cannot be counted here";
  running("counting allocations");
  const Taken taken = taken_by(", exchange=pairwise_in_place");
  expect_tiles_only(taken);
  EXPECT_LT(taken.workspace, taken.array / 8 + taken.tiles)
      << "bytes of workspace, tiles of " << taken.tiles << " included";
}

/// Checks that the counter sees what other methods allocate.
TEST(InPlaceTest, OthersTakeOne) {
  if (!CountedAllocations::possible()) GTEST_SKIP() << "allocations cannot be counted here";
  if (world_ranks() == 1) return;
  const Taken taken = taken_by(", exchange=alltoallv");
  EXPECT_GT(taken.most_live, taken.array + taken.tiles);
  EXPECT_GT(taken.workspace, taken.array + taken.tiles);
}

/// Blocks lie in the node's segment, which MPI provides; a single rank keeps its own in the heap.
TEST(InPlaceTest, TwoLevelTakesItsSegmentsAlone) {
  if (!CountedAllocations::possible()) GTEST_SKIP() << "allocations cannot be counted here";
  if (world_ranks() == 1 || !is_here("shared")) GTEST_SKIP() << "the ranks do not share a node";
  expect_tiles_only(taken_by(", exchange=two_level"));
}

}  // namespace
}  // namespace weft::test
