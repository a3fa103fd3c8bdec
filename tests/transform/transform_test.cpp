// The shared list of cases with every exchange method and every engine, and plans used together:
// several at once, on subsets of the ranks, in threads, with slow ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <ostream>
#include <thread>

#include "cases/covering_sample.hpp"
#include "cases/local_array.hpp"
#include "cases/run_case.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

struct Combination {
  Case one;  ///< its options name the exchange and the engine
};

std::ostream& operator<<(std::ostream& out, const Combination& combination) {
  return out << to_string(combination.one);
}

/// Each case begins with another combination, so that parts of the tests have all of them.
std::vector<Combination> combinations() {
  std::vector<Case> all;
  for (const Case& one : shared_cases(world_ranks())) {
    std::vector<Case> of_case;
    for (const std::string& exchange : exchanges_here())
      for (const std::string& engine : engine_names()) {
        of_case.push_back(one);
        of_case.back().options.exchange = exchange;
        of_case.back().options.engine = engine;
      }
    begin_with(all.size() / of_case.size(), of_case);
    std::ranges::move(of_case, std::back_inserter(all));
  }
  std::vector<Combination> combinations;
  for (Case& one : sample_of(all)) combinations.push_back({std::move(one)});
  return combinations;
}

std::string test_name(const testing::TestParamInfo<Combination>& info) {
  const Options& options = info.param.one.options;
  return info.param.one.name + "__" + options.exchange + "__" + options.engine;
}

class TransformTest : public testing::TestWithParam<Combination> {};

TEST_P(TransformTest, IsRightBothWays) {
  if (!check_case(GetParam().one, MPI_COMM_WORLD)) GTEST_SKIP() << "the engine has no such kind";
}

INSTANTIATE_TEST_SUITE_P(Shared, TransformTest, testing::ValuesIn(combinations()), test_name);

/// Small cases on every exchange method.
class ExchangeTest : public testing::TestWithParam<std::string> {
 protected:
  /// A small case on the given number of ranks; different numbers give different shapes and kinds.
  static Case small_case(int number, int ranks) {
    const std::array kinds{Kind::c2c, Kind::r2c, Kind::c2r};
    Case one;
    one.name = "small_" + std::to_string(number);
    one.transform = Transform({6 + number, 10, 7 + number}, kinds[number % 3]);
    if (number % 2)
      one.layouts = {irregular_boxes(input_shape(one.transform), ranks, 1 + number),
                     irregular_boxes(output_shape(one.transform), ranks, 2 + number)};
    one.options.engine_effort = EngineEffort::estimate;
    one.options.exchange = GetParam();
    one.options.producer_chunks = 1 + number % 3;
    one.options.consumer_chunks = 1 + number % 2;
    return one;
  }
};

TEST_P(ExchangeTest, SeveralPlansLiveAtOnce) {
  std::vector<Case> cases;
  std::vector<Plan> plans;
  for (int number = 0; number < 5; ++number) {
    cases.push_back(small_case(number, world_ranks()));
    plans.push_back(plan_of(cases.back(), MPI_COMM_WORLD));
  }
  for (int round = 0; round < 2; ++round)
    for (int number = 4; number >= 0; --number)
      check_plan(cases[number], plans[number], MPI_COMM_WORLD);
  plans.erase(plans.begin() + 2);
  check_plan(cases[4], plans[3], MPI_COMM_WORLD);
}

TEST_P(ExchangeTest, PlansMove) {
  const Case first = small_case(0, world_ranks()), second = small_case(1, world_ranks());
  Plan plan = plan_of(first, MPI_COMM_WORLD);
  Plan moved = std::move(plan);
  check_plan(first, moved, MPI_COMM_WORLD);
  plan = plan_of(second, MPI_COMM_WORLD);
  check_plan(second, plan, MPI_COMM_WORLD);
  moved = std::move(plan);
  check_plan(second, moved, MPI_COMM_WORLD);
}

TEST_P(ExchangeTest, ArraysOutliveTheirPlan) {
  const Case one = small_case(0, world_ranks());
  const auto truth = truth_of(one.transform, 1);
  std::optional<Array<std::complex<double>>> output;
  {
    Plan plan = plan_of(one, MPI_COMM_WORLD);
    auto input = plan.input<std::complex<double>>();
    output = plan.output<std::complex<double>>();
    EXPECT_EQ(output->data(), plan.output<std::complex<double>>().data());
    input.fill([&](const Point& point) {
      return converted<std::complex<double>>(truth->input.at(point));
    });
    plan.forward(input, *output);
  }
  output->for_each([&](const Point& point, const std::complex<double>& element) {
    EXPECT_NEAR(0, static_cast<double>(std::abs(Exact(element) - truth->output.at(point))), 1e-11);
  });
}

/// A communicator that is freed automatically.
class Communicator {
 public:
  explicit Communicator(MPI_Comm value) : value_(value) {}
  ~Communicator() {
    if (value_ != MPI_COMM_NULL) MPI_Comm_free(&value_);
  }
  Communicator(const Communicator&) = delete;
  MPI_Comm get() const { return value_; }

 private:
  MPI_Comm value_;
};

MPI_Comm split_world(int color, int key) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &part);
  return part;
}

TEST_P(ExchangeTest, HalvesOfTheRanksWorkApart) {
  const int half = world_rank() % 2;
  const Communicator part(split_world(half, -world_rank()));
  for (int repeat = 0; repeat <= half; ++repeat)
    for (int number = 0; number < 3; ++number)
      check_case(small_case(number + 3 * half, ranks_of(part.get())), part.get());
}

TEST_P(ExchangeTest, OddRanksWorkAlone) {
  const Communicator odd(split_world(world_rank() % 2 ? 0 : MPI_UNDEFINED, 0));
  if (odd.get() == MPI_COMM_NULL) return;
  check_case(small_case(1, ranks_of(odd.get())), odd.get());
  check_case(small_case(2, ranks_of(odd.get())), odd.get());
}

TEST_P(ExchangeTest, EveryRankWorksByItself) {
  for (int number = 0; number < 1 + world_rank() % 3; ++number)
    check_case(small_case(number, 1), MPI_COMM_SELF);
}

TEST_P(ExchangeTest, ThreadsPlanAndRunAtOnce) {
  if (!threads_may_use_mpi()) GTEST_SKIP() << "this MPI does not grant MPI_THREAD_MULTIPLE";
  constexpr int count = 3;
  std::vector<std::unique_ptr<Communicator>> communicators;
  for (int number = 0; number < count; ++number) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    communicators.push_back(std::make_unique<Communicator>(copy));
  }
  std::vector<std::thread> threads;
  for (int number = 0; number < count; ++number)
    threads.emplace_back([&, number] {
      for (int repeat = 0; repeat < 3; ++repeat)
        check_case(small_case(number + repeat, world_ranks()), communicators[number]->get());
    });
  for (std::thread& thread : threads) thread.join();
}

/// Runs one plan many times without any barrier. The ranks are slow to read their results in turn,
/// so that faster ranks overwrite data that others still read, unless the exchange prevents it.
template <class T>
class Dawdlers {
 public:
  Dawdlers(Plan& plan, const Transform& transform)
      : plan_(plan),
        truth_(truth_of(transform, 3)),
        from_(input_place(plan, world_rank())),
        to_(output_place(plan, world_rank())) {
    for (const Exact& value : truth_->input.values)
      input_norm_ += static_cast<double>(std::norm(value));
    for (const Exact& value : truth_->output.values)
      output_norm_ += static_cast<double>(std::norm(value));
    bound_ = error_bound(transform);
  }

  void run(T* in, T* out) {
    for (int round = 0; round < 6; ++round) {
      running("round " + std::to_string(round) + " of slow ranks, " + to_string(plan_.options()));
      const double factor = (round % 2 ? -1 : 1) * (round + 1);
      fill(in, from_, scaled(truth_->input, factor));
      plan_.forward(in, out);
      dawdle(2 * round);
      expect(out, to_, truth_->output, factor, output_norm_, "output");
      expect(in, from_, truth_->input, factor, input_norm_, "input after forward");
      poison(in, static_cast<std::size_t>(from_.box.volume()) * sizeof(T));
      plan_.backward(out, in);
      dawdle(2 * round + 1);
      expect(in, from_, truth_->input, factor, input_norm_, "input again");
      expect(out, to_, truth_->output, factor, output_norm_, "output after backward");
      if (round % 2) poison(out, static_cast<std::size_t>(to_.box.volume()) * sizeof(T));
    }
  }

 private:
  static Global scaled(Global array, double factor) {
    for (Exact& value : array.values) value *= factor;
    return array;
  }

  static void dawdle(int step) {
    const std::uint64_t chance = mixed(static_cast<std::uint64_t>(1000 * step + world_rank()));
    if (chance % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2 + chance / 3 % 8));
  }

  void expect(T* data, const Place& place, const Global& right, double factor, double norm,
              const std::string& what) {
    const Deviation found = deviation(data, place, scaled(right, factor));
    EXPECT_LE(std::sqrt(found.error_squared / (factor * factor * norm)), 2 * bound_)
        << what << ", " << found.worst;
  }

  Plan& plan_;
  std::shared_ptr<const TruthPair> truth_;
  const Place from_, to_;
  double input_norm_ = 0, output_norm_ = 0, bound_ = 0;
};

TEST_P(ExchangeTest, SlowRanksKeepTheirResults) {
  using Complex = std::complex<double>;
  for (int chunks : {1, 2}) {
    for (OutputLayout output : {OutputLayout::transposed, OutputLayout::natural}) {
      Case one;
      one.transform = Transform({10, 12, 9}, Kind::c2c);
      one.options.exchange = GetParam();
      one.options.engine_effort = EngineEffort::estimate;
      one.options.output = output;
      one.options.producer_chunks = chunks;
      one.options.consumer_chunks = 2 * chunks - 1;
      SCOPED_TRACE(to_string(one));
      Plan plan = plan_of(one, MPI_COMM_WORLD);
      Dawdlers<Complex> dawdlers(plan, one.transform);
      auto in = plan.input<Complex>(), out = plan.output<Complex>();
      std::vector<Complex> own_in(plan.input_size()), own_out(plan.output_size());
      dawdlers.run(in.data(), out.data());
      dawdlers.run(own_in.data(), own_out.data());
      dawdlers.run(in.data(), own_out.data());
      dawdlers.run(own_in.data(), out.data());
    }
  }
}

/// The memory that a plan on slabs may hold in addition to its arrays and tiles, in units of the
/// local array. If chunks of two exchanges are in flight at once, each has separate send and
/// receive buffers. With `shared`, results in natural order need another window unless they stay in
/// the plan's arrays; with `two_level` between nodes, each exchange has a separate segment. With
/// `push` blocks arrive in windows, which share no memory with those that are sent.
double arrays_held(const Options& options) {
  const bool natural = options.output == OutputLayout::natural;
  if (options.exchange == "two_level") return natural ? 4 : 2;
  if (options.exchange == "push" && natural && options.producer_chunks == 1) return 3;
  if (options.exchange != "shared") return natural && options.producer_chunks > 1 ? 4 : 2;
  return natural && options.arrays == Arrays::any ? 2 : 1;
}

/// The padded length of an axis, relative to the axis: it is split over the ranks and each part
/// into chunks, and each chunk takes the room of the largest one on any rank.
double padding_of(Index length, int chunks) {
  const int ranks = world_ranks();
  Index room = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    Index largest = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const Index begin = length * rank / ranks, end = length * (rank + 1) / ranks;
      const auto edge = [&](int i) { return begin + (end - begin) * i / chunks; };
      largest = std::max(largest, edge(chunk + 1) - edge(chunk));
    }
    room += largest;
  }
  return static_cast<double>(room * ranks) / static_cast<double>(length);
}

TEST_P(ExchangeTest, WorkspaceIsBounded) {
  constexpr Index length = 128;
  constexpr double pages = 1 << 20;  // headers of windows, buffers rounded up to pages
  for (OutputLayout output : {OutputLayout::transposed, OutputLayout::natural})
    for (Arrays arrays : {Arrays::any, Arrays::plan})
      for (int chunks : {1, 4}) {
        Options options;
        options.exchange = GetParam();
        options.output = output;
        options.arrays = arrays;
        options.producer_chunks = options.consumer_chunks = chunks;
        options.decomposition = Decomposition::slab;
        options.engine_effort = EngineEffort::estimate;
        const Plan plan(MPI_COMM_WORLD, {length, length, length}, Kind::c2c, options);
        // The sum over all ranks, because a node's leader may hold memory for its node's ranks.
        double held = static_cast<double>(plan.workspace_bytes());
        double tiles = static_cast<double>(plan.tile_bytes());
        double local = static_cast<double>(plan.in_place_bytes());
        for (double* sum : {&held, &tiles, &local})
          MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        // Blocks lie across the parts of two axes; `alltoall` sends all of them in equal rooms.
        const double padding =
            GetParam() == "alltoall" ? std::pow(padding_of(length, chunks), 2) : 1;
        EXPECT_LE(held, arrays_held(options) * padding * local + tiles + pages * world_ranks())
            << "bytes of workspace on all ranks: " << arrays_held(options) << " arrays of " << local
            << " bytes, padded by " << padding << ", and tiles of " << tiles << "\n"
            << plan.describe();
      }
}

TEST_P(ExchangeTest, DescribesItself) {
  Options options;
  options.exchange = GetParam();
  Plan plan(MPI_COMM_WORLD, {24, 20, 16}, Kind::c2c, options);
  const std::string text = plan.describe();
  if (world_ranks() > 1) {
    EXPECT_NE(text.find(GetParam()), std::string::npos) << text;
  }
  EXPECT_GE(plan.pass_bytes(), 2 * sizeof(std::complex<double>) * plan.input_size()) << text;
  plan.part(Plan::Part::passes)();
  plan.part(Plan::Part::exchanges)();
}

TEST(PassesTest, LeadFromTheInputOverTheExchangesToTheOutput) {
  for (const char* const decomposition : {"slab", "pencil"}) {
    const Options options = Options::parse(
        fmt::format("decomposition={}, output=natural, engine_effort=estimate", decomposition));
    const Plan plan(MPI_COMM_WORLD, {12, 10, 8}, Kind::c2c, options);
    const std::vector<Plan::Pass> passes = plan.passes();
    ASSERT_EQ(passes.size(), plan.exchanges().size() + 1);
    EXPECT_TRUE(passes.front().before.has_boxes_of(plan.input_layout()));
    EXPECT_TRUE(passes.back().after.has_boxes_of(plan.output_layout()));
    for (std::size_t e = 0; e + 1 < passes.size(); ++e)
      EXPECT_EQ(passes[e].after.global(), passes[e + 1].before.global()) << plan.describe();
    EXPECT_EQ(passes.front().computes.find("c2c along axis 2"), 0) << plan.describe();
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ExchangeTest, testing::ValuesIn(exchanges_here()),
                         [](const auto& one) { return one.param; });

/// One method for each exchange of a plan: every one beside every other in the course of the list.
TEST(ExchangeListTest, ServesEachExchangeWithItsOwn) {
  const std::vector<std::string> names = exchanges_here();
  for (std::size_t number = 0; number < 3 * names.size(); ++number) {
    Case one;
    one.name = "list";
    one.transform = Transform({9, 14, 10}, number % 2 ? Kind::c2c : Kind::r2c);
    one.options = Options::parse("decomposition=pencil, engine_effort=estimate");
    one.options.output = number % 4 < 2 ? OutputLayout::natural : OutputLayout::transposed;
    one.options.producer_chunks = one.options.consumer_chunks = number % 3 == 0 ? 1 : 3;
    const std::size_t exchanges = plan_of(one, MPI_COMM_WORLD).exchanges().size();
    if (exchanges == 0) continue;
    std::vector<std::string> list;
    for (std::size_t e = 0; e < exchanges; ++e)
      list.push_back(rotate(names, number + e * (1 + number / names.size())));
    one.options.exchange.clear();
    for (const std::string& name : list)
      one.options.exchange += (one.options.exchange.empty() ? "" : "/") + name;
    one.options = Options::parse(to_string(one.options));
    EXPECT_EQ(plan_of(one, MPI_COMM_WORLD).exchanges(), list);
    check_case(one, MPI_COMM_WORLD);
  }
}

TEST(ExchangeListTest, NamesNodesInDescriptions) {
  Options options = Options::parse("exchange=shared/p2p, grid=2x4, ranks_per_node=4");
  const std::string text = describe(Transform({64, 64, 64}, Kind::c2c), options, 8, 4);
  EXPECT_LT(text.find("exchange 0: shared among 4"), text.find("exchange 1: p2p among 2")) << text;
}

/// Two levels over nodes of fewer ranks than there are, so that leaders have something to send.
class TwoLevelTest : public testing::TestWithParam<std::string> {};

TEST_P(TwoLevelTest, IsRightOverFakedNodes) {
  for (int ranks_per_node : {1, 2, 3})
    for (bool pencils : {false, true}) {
      Case one;
      one.name = "faked_nodes_of_" + std::to_string(ranks_per_node);
      one.transform = Transform({9, 14, 10}, pencils ? Kind::c2c : Kind::r2c);
      one.options.exchange = "two_level";
      one.options.inter_node = GetParam();
      one.options.ranks_per_node = ranks_per_node;
      one.options.engine_effort = EngineEffort::estimate;
      one.options.producer_chunks = pencils ? 2 : 1;
      one.options.consumer_chunks = pencils ? 3 : 1;
      if (pencils) one.options.decomposition = Decomposition::pencil;
      check_case(one, MPI_COMM_WORLD);
    }
}

std::vector<std::string> inter_node_methods_here() {
  std::vector<std::string> names = inter_node_names();
  std::erase_if(names, [](const std::string& name) { return !is_here(name); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Every, TwoLevelTest, testing::ValuesIn(inter_node_methods_here()),
                         [](const auto& one) { return one.param; });

TEST(TwoLevelTest, OneRankPerNodeSends) {
  Options options;
  options.exchange = "two_level";
  options.ranks_per_node = 4;
  const std::string eight = describe(Transform({64, 64, 64}, Kind::c2c), options, 8, 4);
  // Half of what its four ranks hold, in one message.
  EXPECT_NE(eight.find("1.0 MB in 1 messages"), std::string::npos) << eight;
}

TEST(AutoTest, TakesSharedWhereAllRanksShareANode) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank sends nothing";
  if (!on_one_node()) GTEST_SKIP() << "the ranks do not share a node";
  Plan plan(MPI_COMM_WORLD, {16, 12, 10}, Kind::c2c);
  EXPECT_FALSE(plan.exchanges().empty());
  for (const std::string& name : plan.exchanges()) EXPECT_EQ(name, "shared");
}

/// The program of the README: ten lines, nothing said about layouts.
TEST(AutoTest, TenLinesTransformAnArray) {
  Plan plan(MPI_COMM_WORLD, {12, 10, 8}, Kind::r2c);
  auto field = plan.input<double>();
  auto spectrum = plan.output<std::complex<double>>();
  field.fill([](const Point& i) {
    return std::cos(2 * std::numbers::pi * 3 * static_cast<double>(i[1]) / 10);
  });
  plan.forward(field, spectrum);
  spectrum.for_each([](const Point& k, const std::complex<double>& mode) {
    const bool wave = k[0] == 0 && (k[1] == 3 || k[1] == 7) && k[2] == 0;
    EXPECT_NEAR(std::abs(mode - (wave ? 480.0 : 0.0)), 0, 1e-10);
  });
}

}  // namespace
}  // namespace weft::test
