// Chunks that stream through a chain of passes: that every schedule, start rule and progress policy
// gives the right result, the same bits in any order, and that transforms may be in flight
// together.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

#include "cases/run_case.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

struct Scenario {
  std::string name;
  Transform transform;
  std::string options;
};

std::vector<Scenario> scenarios() {
  using Kinds = std::vector<Kind>;
  Transform kept({12, 10, 16}, Kind::r2c);
  kept.modes = {Modes::up_to(4), Modes::up_to(3), Modes::up_to(5)};
  kept.dropped = Dropped::zero;
  Transform ellipse({12, 10, 14}, Kind::c2c);
  ellipse.ellipse = {4, 4.5, 6};
  Transform disc({10, 12, 14}, Kind::r2c);
  disc.ellipse = {0, 4, 5};
  const Transform batch({7, 12, 10}, Kinds{Kind::none, Kind::c2c, Kind::c2c});
  const Transform last_batch({12, 10, 6}, Kinds{Kind::c2c, Kind::r2c, Kind::none});
  const Transform cosines({12, 9, 10}, Kinds{Kind::dct2, Kind::dst3, Kind::dct1});
  return {{"slabs", Transform({12, 10, 9}, Kind::c2c), "decomposition=slab"},
          {"pencils", Transform({10, 12, 14}, Kind::r2c), "decomposition=pencil"},
          {"bricks", Transform({9, 8, 10}, Kind::c2c, {}, Precision::single_),
           "decomposition=brick, output=natural"},
          {"natural", Transform({8, 12, 10}, Kind::c2r), "decomposition=pencil, output=natural"},
          {"packed", Transform({10, 9, 8}, Kind::r2c_packed), "decomposition=pencil"},
          {"kept", kept, "decomposition=pencil"},
          {"ellipse", ellipse, "decomposition=pencil"},
          {"disc", disc, "decomposition=brick"},
          {"batch", batch, "output=natural"},
          {"lastbatch", last_batch, "decomposition=slab"},
          {"cosines", cosines, "decomposition=pencil, output=natural"},
          {"long", Transform({40, 36, 48}, Kind::c2c), "decomposition=slab"},
          {"fouraxes", Transform({6, 8, 5, 7}, Kind::r2c), "output=natural, fields=4"}};
}

/// Settings beside the exchange; lists of coprime lengths meet in all combinations in time.
std::string settings(std::size_t number) {
  static const std::vector<std::string> forms{"pipeline", "split"};
  static const std::vector<std::string> chunks{
      "producer_chunks=1, consumer_chunks=1", "producer_chunks=2, consumer_chunks=3",
      "producer_chunks=8, consumer_chunks=8", "producer_chunks=5, consumer_chunks=1",
      "producer_chunks=20, consumer_chunks=17"};
  static const std::vector<std::string> in_flight{"0", "1", "3"};
  static const std::vector<std::string> shares{"0.75", "0.2", "1"};
  static const std::vector<std::string> orders{"consumer", "producer"};
  static const std::vector<std::string> progress{"none", "poll, poll_tiles=1", "thread",
                                                 "poll, poll_tiles=7", "adaptive"};
  return "schedule=" + rotate(forms, number) + ", " + rotate(chunks, number / 2) +
         ", in_flight=" + rotate(in_flight, number) +
         ", start_share=" + rotate(shares, number / 3) +
         ", start_order=" + rotate(orders, number / 4) +
         ", pack_order=" + rotate(orders, number / 3) +
         ", progress=" + rotate(progress, number / 2 + number / 10);
}

std::vector<Case> streamed_cases() {
  constexpr std::size_t per_exchange = 20;
  const std::vector<Scenario> all = scenarios();
  std::vector<Case> cases;
  for (const std::string& exchange : exchanges_here())
    for (std::size_t i = 0; i < per_exchange; ++i) {
      const std::size_t number = cases.size();
      const Scenario& scenario = rotate(all, number);
      Case one;
      one.transform = scenario.transform;
      one.options = Options::parse(scenario.options + ", " + settings(number) +
                                   ", engine_effort=estimate, exchange=" + exchange);
      one.memories = {rotate(every_memory, number), rotate(every_memory, number + 4)};
      const bool threaded = one.options.progress == ProgressPolicy::thread;
      if (threaded && !threads_may_use_mpi()) one.options.progress = ProgressPolicy::adaptive;
      one.name = scenario.name + "_" + std::to_string(number) + "__" + exchange +
                 (threaded ? "__thread" : "");
      cases.push_back(std::move(one));
    }
  return cases;
}

/// The same route in one chunk: nothing is in flight during computation. All other choices of the
/// plan are kept, since with other chunks it might choose other layouts.
Plan blocking(Case one, const Plan& plan) {
  one.options = plan.options();
  one.options.producer_chunks = one.options.consumer_chunks = 1;
  return plan_of(one, MPI_COMM_WORLD);
}

/// Runs both ways, from user arrays to others, and compares bytes.
void expect_same_bits(Plan& plan, Plan& reference) {
  const auto truth = truth_of(plan.transform(), 20);
  with_element_types(plan, [&]<class In, class Out>(In, Out) {
    const auto run = [&](Plan& with, bool forward, std::vector<In>& in, std::vector<Out>& out) {
      fill(in.data(), input_place(with, world_rank()), truth->input);
      fill(out.data(), output_place(with, world_rank()), truth->output);
      forward ? with.forward(in.data(), out.data()) : with.backward(out.data(), in.data());
    };
    for (const bool forward : {true, false}) {
      std::vector<In> in(static_cast<std::size_t>(plan.input_size())), other_in = in;
      std::vector<Out> out(static_cast<std::size_t>(plan.output_size())), other_out = out;
      run(plan, forward, in, out);
      run(reference, forward, other_in, other_out);
      EXPECT_TRUE(in == other_in && out == other_out)
          << (forward ? "forward: " : "backward: ") << plan.describe() << reference.describe();
    }
  });
}

class StreamTest : public testing::TestWithParam<Case> {};

TEST_P(StreamTest, IsRightAndHasTheBitsOfABlockingRun) {
  const Case& streamed = GetParam();
  SCOPED_TRACE(to_string(streamed));
  Plan plan = plan_of(streamed, MPI_COMM_WORLD);
  check_plan(streamed, plan, MPI_COMM_WORLD);
  Plan reference = blocking(streamed, plan);
  expect_same_bits(plan, reference);
}

INSTANTIATE_TEST_SUITE_P(Every, StreamTest, testing::ValuesIn(streamed_cases()),
                         [](const auto& one) { return one.param.name; });

/// Lines for which engines know several algorithms. (Where FFTW chooses by measuring it may choose
/// others for a small array that it reads directly.)
TEST(StreamBitsTest, DoNotDependOnChunksOrTheirOrder) {
  for (const Shape& shape : {Shape{64, 60, 128}, Shape{48, 500, 20}})
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2})
      for (const std::string& engine : engine_names()) {
        Case one;
        one.transform = Transform(shape, kind);
        one.options.decomposition = Decomposition::slab;
        one.options.engine_effort = EngineEffort::estimate;
        one.options.engine = kind == Kind::dct2 ? "fftw" : engine;
        Plan reference = blocking(one, plan_of(one, MPI_COMM_WORLD));
        for (const char* form :
             {"producer_chunks=2, consumer_chunks=3", "producer_chunks=8, consumer_chunks=8",
              "producer_chunks=5, consumer_chunks=16, schedule=split",
              "producer_chunks=8, consumer_chunks=3, in_flight=1, progress=poll"}) {
          one.options = Options::parse("decomposition=slab, engine_effort=estimate, engine=" +
                                       one.options.engine + ", " + form);
          SCOPED_TRACE(to_string(one));
          Plan plan = plan_of(one, MPI_COMM_WORLD);
          expect_same_bits(plan, reference);
        }
      }
}

/// Keeps this rank busy for a time that differs between ranks.
void compute(int step) {
  const std::uint64_t chance = mixed(static_cast<std::uint64_t>(1000 * step + world_rank()));
  volatile double sum = 0;
  for (std::uint64_t i = 0; i < chance % 20000; ++i) sum = sum + std::sqrt(static_cast<double>(i));
  std::this_thread::yield();
}

/// Transforms of one plan, each with its own arrays and truth; odd numbers run backward.
class Flights {
 public:
  Flights(const Case& one, int count) : plan_(plan_of(one, MPI_COMM_WORLD)) {
    for (int i = 0; i < count; ++i)
      flights_.push_back({truth_of(one.transform, static_cast<std::uint64_t>(i)),
                          std::vector<Complex>(plan_.in_place_bytes() / sizeof(Complex)),
                          std::vector<Complex>(plan_.in_place_bytes() / sizeof(Complex))});
  }

  /// In place, or else from one array to another.
  Handle start(int i, bool in_place = false) {
    prepare(i, in_place);
    Complex *const source = flights_[i].source.data(), *const target = target_of(flights_[i]);
    return is_forward(i) ? plan_.start_forward(source, target)
                         : plan_.start_backward(source, target);
  }

  void expect_right(int i) {
    const Flight& flight = flights_[i];
    const Global& right = is_forward(i) ? flight.truth->output : flight.truth->restored;
    double norm = 0;
    for (const Exact& value : right.values) norm += static_cast<double>(std::norm(value));
    const Deviation found = deviation(target_of(flights_[i]), to(i), right);
    EXPECT_LE(std::sqrt(found.error_squared / norm), 2 * error_bound(plan_.transform()))
        << "transform " << i << ", " << found.worst;
  }

  Plan& plan() { return plan_; }

 private:
  struct Flight {
    std::shared_ptr<const TruthPair> truth;
    std::vector<Complex> source, target;
    bool in_place = false;
  };

  static bool is_forward(int i) { return i % 2 == 0; }
  static Complex* target_of(Flight& flight) {
    return flight.in_place ? flight.source.data() : flight.target.data();
  }
  Place from(int i) const { return place(is_forward(i)); }
  Place to(int i) const { return place(!is_forward(i)); }
  Place place(bool input) const {
    return input ? input_place(plan_, world_rank()) : output_place(plan_, world_rank());
  }

  void prepare(int i, bool in_place) {
    Flight& flight = flights_[i];
    flight.in_place = in_place;
    poison(flight.target.data(), plan_.in_place_bytes());
    fill(flight.source.data(), from(i), is_forward(i) ? flight.truth->input : flight.truth->output);
  }

  Plan plan_;
  std::vector<Flight> flights_;
};

/// Each with every exchange method and progress policy.
class HandleTest : public testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  void SetUp() override {
    if (GetParam().second == "thread" && !threads_may_use_mpi())
      GTEST_SKIP() << "this MPI does not grant MPI_THREAD_MULTIPLE";
  }

  static Case case_of(const std::string& more, const Shape& shape = {10, 12, 9}) {
    Case one;
    one.transform = Transform(shape, Kind::c2c);
    one.options = Options::parse("engine_effort=estimate, exchange=" + GetParam().first +
                                 ", progress=" + GetParam().second + ", " + more);
    return one;
  }
};

TEST_P(HandleTest, WaitedForInAnyOrder) {
  for (const char* how : {"fields=3, decomposition=pencil, output=natural",
                          "fields=3, producer_chunks=2, consumer_chunks=3, decomposition=pencil",
                          "fields=3, producer_chunks=4, consumer_chunks=4, schedule=split"}) {
    SCOPED_TRACE(how);
    Flights flights(case_of(how), 3);
    for (int round = 0; round < 4; ++round) {
      std::vector<Handle> handles;
      for (int i = 0; i < 3; ++i) handles.push_back(flights.start(i, (i + round) % 3 == 0));
      std::array order{0, 1, 2};
      Random(static_cast<std::uint64_t>(10 * round + world_rank())).shuffle(order);
      for (const int i : order) {
        compute(round);
        if ((round + world_rank()) % 2 == 0)
          handles[i].wait();
        else
          while (!handles[i].test()) compute(i);
        flights.expect_right(i);
        EXPECT_TRUE(handles[i].test());
      }
    }
  }
}

/// Each is followed by the one that takes its place, as in a caller's own pipeline.
TEST_P(HandleTest, FollowEachOther) {
  Flights flights(case_of("fields=2, producer_chunks=2, consumer_chunks=2"), 4);
  std::array<Handle, 2> handles;
  for (int i = 0; i < 12; ++i) {
    handles[i % 2].wait();
    if (i >= 2) flights.expect_right((i - 2) % 4);
    handles[i % 2] = flights.start(i % 4);
    compute(i);
  }
}

TEST_P(HandleTest, OfTwoPlansAtOnce) {
  Flights first(case_of("fields=2, producer_chunks=2, consumer_chunks=3"), 2);
  Flights second(case_of("fields=2, decomposition=pencil, output=natural", {8, 9, 10}), 2);
  for (int round = 0; round < 3; ++round) {
    std::vector<Handle> handles;
    for (int i = 0; i < 2; ++i) {
      handles.push_back(first.start(i));
      handles.push_back(second.start(i));
      compute(round);
    }
    for (std::size_t i = 0; i < handles.size(); ++i) {
      Handle& handle = handles[(i + static_cast<std::size_t>(round)) % handles.size()];
      handle.wait();
    }
    for (int i = 0; i < 2; ++i) {
      first.expect_right(i);
      second.expect_right(i);
    }
  }
}

TEST_P(HandleTest, MoveAndWaitBeforeTheyGo) {
  Flights flights(case_of("fields=2, producer_chunks=3, consumer_chunks=2"), 3);
  EXPECT_TRUE(Handle().test());
  Handle().wait();
  Handle first = flights.start(0), second = flights.start(1);
  Handle moved = std::move(first);
  moved = std::move(second);  // waits for the first
  flights.expect_right(0);
  { const Handle gone = std::move(moved); }
  flights.expect_right(1);
  flights.start(2);
  flights.expect_right(2);
}

TEST_P(HandleTest, MixWithCallsThatWait) {
  Flights flights(case_of("fields=2, producer_chunks=2, consumer_chunks=3"), 2);
  Plan& plan = flights.plan();
  const auto truth = truth_of(plan.transform(), 9);
  auto in = plan.input<Complex>(), out = plan.output<Complex>();
  std::vector<Complex> copy(static_cast<std::size_t>(out.size()));
  for (int round = 0; round < 2; ++round) {
    in.fill([&](const Point& point) { return converted<Complex>(truth->input.at(point)); });
    plan.start_forward(in.data(), out.data()).wait();
    plan.forward(in.data(), copy.data());
    const Place place = output_place(plan, world_rank());
    for (Complex* result : {out.data(), copy.data()})
      EXPECT_LE(std::sqrt(deviation(result, place, truth->output).error_squared), 1e-11);
    Handle first = flights.start(0), second = flights.start(1);
    second.wait();
    first.wait();
    flights.expect_right(0);
    flights.expect_right(1);
  }
}

std::vector<std::pair<std::string, std::string>> exchanges_and_policies() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& exchange : exchanges_here())
    for (const char* policy : {"adaptive", "thread"}) all.emplace_back(exchange, policy);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, HandleTest, testing::ValuesIn(exchanges_and_policies()),
                         [](const auto& one) { return one.param.first + "__" + one.param.second; });

/// With one rank mistakes are exceptions; with several the job ends, see DISABLED_AbortTest.
TEST(HandleErrorsTest, TooManyInFlight) {
  Plan plan(MPI_COMM_SELF, {8, 8}, Kind::c2c, Options::parse("fields=2"));
  std::vector<Complex> in(64), out(64), other(64), third(64);
  Handle first = plan.start_forward(in.data(), out.data());
  Handle second = plan.start_forward(in.data(), other.data());
  EXPECT_THROW(plan.start_forward(in.data(), third.data()), Error);
  EXPECT_THROW(plan.forward(in.data(), third.data()), Error);
  first.wait();
  second.wait();
  plan.forward(in.data(), third.data());
}

/// Run in a separate job that does not request MPI_THREAD_MULTIPLE.
TEST(ThreadLevelTest, ProgressThreadNeedsMultiple) {
  const Options options = Options::parse("progress=thread");
  if (threads_may_use_mpi()) GTEST_SKIP() << "this job has MPI_THREAD_MULTIPLE";
  expect_error(
      [&] {
        Plan(MPI_COMM_WORLD, {8, 8}, Kind::c2c, options);
      },
      {"needs MPI_THREAD_MULTIPLE"});
}

/// The next transform of a plan must not start before the oldest is complete.
TEST(PipelineTest, TooManyAreStarted) {
  const Options options = Options::parse("fields=2, producer_chunks=2");
  Plan plan(MPI_COMM_WORLD, {8, 8 * world_ranks()}, Kind::c2c, options);
  std::vector<Complex> in(plan.in_place_bytes() / sizeof(Complex));
  std::vector<std::vector<Complex>> out(3, in);
  std::vector<Handle> handles;
  const auto start = [&](int number) {
    handles.push_back(plan.start_forward(in.data(), out[static_cast<std::size_t>(number)].data()));
  };
  start(0);
  start(1);
  expect_error([&] { start(2); }, {"buffers for 2 in flight"});
}

TEST(DISABLED_AbortTest, OneRankRunsWhileOneIsInFlight) {
  Plan plan(MPI_COMM_WORLD, {8, 8 * world_ranks()}, Kind::c2c);
  std::vector<Complex> in(plan.in_place_bytes() / sizeof(Complex)), out = in, other = in;
  Handle handle = plan.start_forward(in.data(), out.data());
  if (world_rank() != 0) handle.wait();
  plan.forward(in.data(), other.data());
}

}  // namespace
}  // namespace weft::test
