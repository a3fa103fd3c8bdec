// Plans for devices, on the emulated ones or on that named by WEFT_TEST_DEVICE: the shared list of
// cases, arrays in device memory, what devices do not have, and that a forgotten wait is noticed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <complex>
#include <cstring>
#include <functional>
#include <vector>
#include <weft/wavenumbers.hpp>

#include "cases/covering_sample.hpp"
#include "cases/local_array.hpp"
#include "cases/run_case.hpp"
#include "device/device_exchanges.hpp"
#include "device/emulated_device.hpp"
#include "support/deliberate_leaks.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = DeviceArrays::Complex;

std::vector<Case> device_cases() {
  std::vector<Case> all;
  for (const Case& one : shared_cases(world_ranks())) {
    std::vector<std::string> exchanges = device_exchanges();
    begin_with(all.size() / exchanges.size(), exchanges);
    for (const std::string& exchange : exchanges) {
      all.push_back(one);
      all.back().options.exchange = exchange;
      // Only a lazy stream shows a missing wait; the other one shows that order is enough.
      all.back().options.device = all.size() % 7 == 0 ? devices().front() : devices().back();
      all.back().options.engine = all.size() % 3 == 0 ? "library" : "auto";
    }
  }
  return sample_of(all);
}

/// Thousands of cases, which some numbers of ranks are enough for: tests/CMakeLists.txt.
class DISABLED_DeviceCaseTest : public testing::TestWithParam<Case> {};

/// Whether devices may refuse it: they have no DCT and DST, and their own libraries know no modes
/// that stand for two and no ellipses.
bool may_be_refused(const Case& one) {
  const bool has_other_kinds =
      std::ranges::any_of(one.transform.kinds, [](Kind kind) { return kind >= Kind::dct1; });
  const bool has_modes = !one.transform.modes.empty() || !one.transform.ellipse.empty() ||
                         std::ranges::count(one.transform.kinds, Kind::r2c_packed) > 0;
  return has_other_kinds || (one.options.engine == "library" && has_modes);
}

TEST_P(DISABLED_DeviceCaseTest, IsRightBothWays) {
  const Case& one = GetParam();
  running("planning " + to_string(one));
  std::optional<Plan> plan;
  const auto refusal = message_of([&] { plan.emplace(plan_of(one, MPI_COMM_WORLD)); });
  if (!refusal) return check_plan(one, *plan, MPI_COMM_WORLD);
  if (refusal->find("engine library: has no ") != 0)
    expect_words(*refusal, {"cannot", "valid are", "device=cpu can"});
  EXPECT_TRUE(may_be_refused(one)) << *refusal << "\n" << to_string(one);
}

INSTANTIATE_TEST_SUITE_P(Shared, DISABLED_DeviceCaseTest, testing::ValuesIn(device_cases()),
                         [](const testing::TestParamInfo<Case>& info) {
                           return info.param.name + "__" + info.param.options.exchange;
                         });

class DeviceTest : public testing::TestWithParam<std::string> {};

TEST_P(DeviceTest, TransformsArraysInDeviceMemory) {
  for (const std::string& exchange : device_exchanges()) {
    SCOPED_TRACE(exchange);
    running("arrays of a device, exchange " + exchange);
    Plan plan(MPI_COMM_WORLD, {6, 7, 8}, Kind::c2c, options_for(GetParam(), exchange));
    expect_right_transforms(plan, 3);
  }
}

/// Blocks of some MiB, of which each rank's is another size; `alltoall` pads them.
TEST_P(DeviceTest, LargeBlocksTravelInPieces) {
  if (world_ranks() == 1) GTEST_SKIP() << "nothing is sent";
  for (const std::string exchange : {"alltoall", "p2p", "put", "device_p2p"}) {
    if (std::ranges::count(device_exchanges(), exchange) == 0) continue;
    running("large blocks, exchange " + exchange);
    Plan plan(MPI_COMM_WORLD, {101, 107, 100}, Kind::c2c, options_for(GetParam(), exchange));
    SCOPED_TRACE(exchange);
    expect_right_transforms(plan);
  }
}

/// Three transforms in flight, of arrays of the device and then of the host.
void keep_in_flight(const Shape& shape, Options options) {
  options.fields = 3;
  options.producer_chunks = options.consumer_chunks = 2;
  Plan plan(MPI_COMM_WORLD, shape, Kind::c2c, options);
  std::vector<DeviceArrays> arrays;
  std::vector<std::vector<Complex>> in(3), out(3);  // of the host, in the same flights
  for (std::uint64_t seed = 1; seed <= 3; ++seed) arrays.emplace_back(plan, seed);
  for (int round = 0; round < 2; ++round) {
    std::vector<Handle> handles;
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (round == 0) {
        handles.push_back(plan.start_forward(arrays[i].in(), arrays[i].out()));
      } else {
        in[i].resize(static_cast<std::size_t>(plan.input_size()));
        out[i].assign(static_cast<std::size_t>(plan.output_size()), {NAN, NAN});
        fill(in[i].data(), input_place(plan, world_rank()),
             truth_of(plan.transform(), i + 1)->input);
        handles.push_back(plan.start_forward(in[i], out[i]));
      }
    if (world_rank() % 2 != 0) std::ranges::reverse(handles);
    for (Handle& handle : handles) handle.wait();
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_TRUE(arrays[i].is_right()) << arrays[i].error();
    std::vector<Complex> same(out[i].size());
    plan.copy(same.data(), arrays[i].out().data(), same.size() * sizeof(Complex));
    EXPECT_EQ(out[i], same);
  }
}

TEST_P(DeviceTest, KeepsTransformsInFlight) {
  for (const std::string& exchange : device_exchanges()) {
    SCOPED_TRACE(exchange);
    running("transforms in flight, exchange " + exchange);
    keep_in_flight({8, 9, 10}, options_for(GetParam(), exchange));
  }
}

/// Each method leaves the next one its blocks as that expects them, and memory that it shares.
TEST_P(DeviceTest, MixesExchanges) {
  for (const std::string& first : device_exchanges())
    for (const std::string& second : device_exchanges()) {
      SCOPED_TRACE(first + "/" + second);
      running("exchanges " + first + "/" + second);
      Options options = options_for(GetParam(), first + "/" + second);
      options.decomposition = Decomposition::pencil;
      // Planes that stay in the cache of emulated devices would save an exchange.
      const Shape shape{4, 8, 130};
      keep_in_flight(shape, options);
      Plan plan(MPI_COMM_WORLD, shape, Kind::c2c, options);
      expect_right_transforms(plan);
    }
}

/// Some ranks are in one plan only, and the thread of one progresses it meanwhile.
TEST_P(DeviceTest, SeveralPlansAtOnce) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() == 0 ? 0 : 1, -world_rank(), &part);
  for (const std::string& exchange : device_exchanges()) {
    SCOPED_TRACE(exchange);
    running("several plans at once, exchange " + exchange);
    Options options = options_for(GetParam(), exchange);
    if (threads_may_use_mpi()) options.progress = ProgressPolicy::thread;
    Plan all(MPI_COMM_WORLD, {8, 9, 10}, Kind::c2c, options);
    Plan some(part, {6, 7, 8}, Kind::c2c, options);
    DeviceArrays of_all(all, 1), more_of_all(all, 2), of_some(some, 3);
    Handle handle = all.start_forward(of_all.in(), of_all.out());
    some.forward(of_some.in(), of_some.out());
    handle.wait();
    all.forward(more_of_all.in(), more_of_all.out());
    EXPECT_TRUE(of_all.is_right()) << of_all.error();
    EXPECT_TRUE(more_of_all.is_right()) << more_of_all.error();
    EXPECT_TRUE(of_some.is_right()) << of_some.error();
  }
  MPI_Comm_free(&part);
}

/// Longer than a block of threads holds, which the device's own library transforms, and all lines
/// where that is wanted.
TEST_P(DeviceTest, LibraryTransformsLines) {
  for (const std::string engine : {"auto", "library"})
    for (const Shape& shape : {Shape{20011, 3}, Shape{4, 32768}, Shape{6, 7, 8}}) {
      SCOPED_TRACE(engine);
      running("lines of the device's library");
      Options options = options_for(GetParam());
      options.engine = engine;
      Plan plan(MPI_COMM_WORLD, {shape, Kind::c2c}, options);
      expect_right_transforms(plan);
    }
}

TEST_P(DeviceTest, ItsMemoryIsNotForTheHost) {
  const Plan plan(MPI_COMM_WORLD, {4, 5, 6}, Kind::c2c, options_for(GetParam()));
  const Array<Complex> array = plan.make_input<Complex>();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(write(ends[1], array.data(), sizeof(Complex)), -1);
  EXPECT_EQ(errno, EFAULT);
  close(ends[0]);
  close(ends[1]);
}

/// Kernels that were given them would fail, and all that comes after them.
TEST_P(DeviceTest, RefusesAddressesWithinAnElement) {
  Options options = options_for(GetParam());
  options.errors = ErrorPolicy::raise;
  Plan plan(MPI_COMM_SELF, {4, 5, 6}, Kind::c2c, options);
  Array<Complex> in = plan.make_input<Complex>(), out = plan.make_output<Complex>();
  const auto shifted = [](Complex* at) {
    return reinterpret_cast<Complex*>(reinterpret_cast<double*>(at) + 1);
  };
  expect_error([&] { plan.forward(shifted(in.data()), out.data()); },
               {"forward: the input is at address 0x", "8 of the device",
                "valid are multiples of 16, the bytes of an element of std::complex<double>"});
  expect_error([&] { plan.backward(out.data(), shifted(in.data())); },
               {"backward: the output is at address 0x"});
  std::vector<Complex> values(121, 1.0);
  plan.forward(shifted(values.data()), out.data());  // it is copied
}

TEST_P(DeviceTest, HasReadArraysOfTheHostWhenACallReturns) {
  Plan plan(MPI_COMM_WORLD, {6, 7, 8}, Kind::c2c, options_for(GetParam()));
  DeviceArrays expected(plan, 1);
  std::vector<Complex> values(static_cast<std::size_t>(plan.input_size()));
  const auto refill = [&] {
    fill(values.data(), input_place(plan, world_rank()), truth_of(plan.transform(), 1)->input);
  };
  refill();
  plan.forward(values, expected.out());
  values.assign(values.size(), {NAN, NAN});
  EXPECT_TRUE(expected.is_right()) << expected.error();
  refill();
  Handle handle = plan.start_forward(values, expected.out());
  handle.wait();
  values.assign(values.size(), {NAN, NAN});
  EXPECT_TRUE(expected.is_right()) << expected.error();
}

TEST_P(DeviceTest, ArraysMayBeDroppedWhileTheStreamUsesThem) {
  Plan plan(MPI_COMM_WORLD, {6, 7, 8}, Kind::c2c, options_for(GetParam()));
  plan.forward(plan.make_input<Complex>(), plan.make_output<Complex>());
  plan.synchronize();  // touches no memory that is gone
}

/// The last rank never sends its blocks; the others do not wait for them on their streams.
TEST_P(DeviceTest, MistakesOfOneRankAreRaisedThere) {
  if (!on_one_node()) GTEST_SKIP() << "ranks of other nodes are not told";
  if (world_ranks() == 1) GTEST_SKIP() << "there are no others";
  const DeliberateLeaks leaks;
  for (const std::string exchange : {"p2p", "device_p2p"}) {  // each takes a second
    if (std::ranges::count(device_exchanges(), exchange) == 0) continue;
    SCOPED_TRACE(exchange);
    running("mistakes of one rank, exchange " + exchange);
    Options options = options_for(GetParam(), exchange);
    options.errors = ErrorPolicy::raise;
    Plan plan(MPI_COMM_WORLD, {8, 9, 10}, Kind::c2c, options);
    std::vector<Complex> memory(2 * plan.in_place_bytes());
    Complex* const result = is_last_rank() ? memory.data() + 1 : memory.data() + memory.size() / 2;
    expect_error([&] { plan.forward(memory.data(), result); },
                 {is_last_rank() ? "overlap" : "has left the call with an error"});
  }
}

TEST_P(DeviceTest, SaysWhatOthersMustKnow) {
  Plan plan(MPI_COMM_WORLD, {4, 5, 6}, Kind::c2c, options_for(GetParam()));
  Plan host(MPI_COMM_WORLD, {4, 5, 6}, Kind::c2c);
  const Array<Complex> array = plan.make_input<Complex>();
  EXPECT_TRUE(plan.is_on_device(array.data()));
  EXPECT_FALSE(plan.is_on_device(host.make_input<Complex>().data()));
  EXPECT_FALSE(host.is_on_device(host.make_input<Complex>().data()));
  EXPECT_EQ(host.dlpack_device().kind, 1);
  std::vector<Plan*> without_streams{&host};
  if (GetParam().starts_with("emulated")) {
    EXPECT_EQ(plan.dlpack_device().kind, 0) << "no other library can use it";
    without_streams.push_back(&plan);
  }
  for (Plan* const one : without_streams) {
    expect_error_everywhere([&] { one->set_stream(nullptr); }, {"set_stream", "no streams"});
    one->wait_for_stream(nullptr);  // there is nothing to wait for
  }
}

TEST_P(DeviceTest, SumsAreOfTheHost) {
  const Plan plan(MPI_COMM_WORLD, {4, 5, 6}, Kind::c2c, options_for(GetParam()));
  const Array<Complex> input = plan.make_input<Complex>(), output = plan.make_output<Complex>();
  const auto expect_refused = [](const std::function<void()>& sum) {
    expect_error_everywhere(sum, {"memory of a device", "valid is one of the host"});
  };
  expect_refused([&] { global_sum(plan, input); });
  expect_refused([&] { mean_square(plan, Side::input, input); });
  expect_refused([&] { energy_by_shell(plan, output); });
}

TEST_P(DeviceTest, LacksSomeFeaturesAndSaysSo) {
  const Transform transform({6, 7, 8}, Kind::c2c);
  const std::string device = "device=" + GetParam();
  Options options = options_for(GetParam());
  options.verify = true;
  expect_plan_error(transform, options, {"verify", device, "valid is device=cpu"});
  if (world_ranks() > 1)
    for (const char* const exchange : {"alltoallw", "pairwise_in_place"})
      expect_plan_error(transform, options_for(GetParam(), exchange),
                        {exchange, device, "valid there are auto", "p2p"});
}

INSTANTIATE_TEST_SUITE_P(All, DeviceTest, testing::ValuesIn(devices()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

struct Forgotten {
  std::string exchange;
  Waiter waiter = Waiter::host;

  bool is_in_flight() const { return exchange == "device_p2p" && waiter == Waiter::host; }
};

std::string text_of(const Forgotten& forgotten) {
  constexpr std::array names{"the_host", "passes", "copies"};
  return forgotten.exchange + "_" + names[static_cast<std::size_t>(forgotten.waiter)];
}

/// Every wait that there is: messages have copies before and after them, `push` before. Messages of
/// devices need no copies, and the host only waits for them where more is in flight.
std::vector<Forgotten> forgotten_waits() {
  std::vector<Forgotten> all;
  for (const std::string& exchange : device_exchanges()) {
    all.push_back({exchange, Waiter::host});
    if (exchange == "shared" || exchange == "two_level") continue;
    all.push_back({exchange, Waiter::copies});
    if (exchange != "push") all.push_back({exchange, Waiter::passes});
  }
  return all;
}

class ForgottenWaitTest : public testing::TestWithParam<Forgotten> {};

/// Rank 0 sends what its passes have yet to write, or they read what has yet to be copied.
TEST_P(ForgottenWaitTest, IsAWrongNumber) {
  if (world_ranks() == 1) GTEST_SKIP() << "nothing is sent";
  Plan plan(MPI_COMM_WORLD, {8, 8, 8}, Kind::c2c,
            options_for("emulated-lazy", GetParam().exchange));
  DeviceArrays first(plan, 1), second(plan, 2);
  plan.forward(first.in(), first.out());
  EXPECT_TRUE(first.is_right());
  {
    std::optional<ForgottenWaits> forgotten;
    if (world_rank() == 0) forgotten.emplace(GetParam().waiter);
    if (GetParam().is_in_flight())
      plan.start_forward(second.in(), second.out()).wait();
    else
      plan.forward(second.in(), second.out());
    if (world_rank() != 0) plan.synchronize();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  EXPECT_FALSE(second.is_right());
}

INSTANTIATE_TEST_SUITE_P(Emulated, ForgottenWaitTest, testing::ValuesIn(forgotten_waits()),
                         [](const testing::TestParamInfo<Forgotten>& info) {
                           return text_of(info.param);
                         });

/// Rank 0 says that its window may be written again, and has yet to read it.
TEST(ForgottenWaitsTest, BeforeAWindowIsOpenedIsAWrongNumber) {
  if (world_ranks() == 1 || !is_here("shared")) GTEST_SKIP() << "no windows";
  Options options = options_for("emulated-lazy", "shared");
  options.output = OutputLayout::transposed;
  Plan plan(MPI_COMM_WORLD, {8, 8, 8}, Kind::c2c, options);
  DeviceArrays first(plan, 1), second(plan, 2);
  const bool forgets = world_rank() == 0;
  const auto start = [&](DeviceArrays& arrays) {
    return plan.start_forward(arrays.in(), arrays.out());
  };
  // Rank 0 begins, and so marks what it sends before it forgets.
  std::optional<Handle> handle;
  if (forgets) handle.emplace(start(first));
  MPI_Barrier(MPI_COMM_WORLD);
  if (!forgets) handle.emplace(start(first));
  {
    std::optional<ForgottenWaits> forgotten;
    if (forgets) forgotten.emplace(Waiter::host);
    handle->wait();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // The others write into its window, which it has opened, before it goes on.
  if (!forgets) {
    handle.emplace(start(second));
    for (int i = 0; i < 1000; ++i) handle->test();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (forgets) handle.emplace(start(second));
  handle->wait();
  EXPECT_FALSE(first.is_right());
  EXPECT_TRUE(second.is_right());
}

}  // namespace
}  // namespace weft::test
