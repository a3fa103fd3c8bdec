// Plans of C for a device: arrays in its memory, copies there and back.
#include <gtest/gtest.h>
#include <mpi.h>
#include <weft/weft.h>

#include <complex>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "c/c_checks.hpp"
#include "support/error_checks.hpp"
#include "support/ranks.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;
const Shape shape{6, 5, 8};

TEST(CDevicesTest, ArraysOfTheDeviceAreTransformed) {
  const CPlan plan(shape, "kind=c2c output=natural device=emulated-lazy");
  weft_array in = nullptr, out = nullptr;
  expect_success(weft_array_make(plan, WEFT_INPUT, &in));
  expect_success(weft_array_make(plan, WEFT_OUTPUT, &out));
  Plan host(MPI_COMM_WORLD, shape, Kind::c2c, Options::parse("output=natural"));
  std::vector<Complex> values(static_cast<std::size_t>(host.input_size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = {static_cast<double>(i % 7), static_cast<double>(world_rank())};
  std::vector<Complex> expected(static_cast<std::size_t>(host.output_size())), found(expected);
  host.forward(values, expected);

  expect_success(
      weft_plan_copy(plan, weft_array_data(in), values.data(), values.size() * sizeof(Complex)));
  expect_success(weft_forward(plan, weft_array_data(in), weft_array_data(out)));
  expect_success(weft_plan_synchronize(plan));
  expect_success(
      weft_plan_copy(plan, found.data(), weft_array_data(out), found.size() * sizeof(Complex)));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LT(std::abs(found[i] - expected[i]), 1e-11) << i;

  weft_array_drop(&in);
  weft_array_drop(&out);
}

TEST(CDevicesTest, SumsAreOfArraysOfTheHost) {
  const CPlan plan(shape, "kind=c2c device=emulated");
  weft_array array = nullptr;
  double sum[2];
  expect_success(weft_array_make(plan, WEFT_INPUT, &array));
  EXPECT_EQ(weft_global_sum(plan, WEFT_INPUT, weft_array_data(array), sum), WEFT_ERROR_ARGUMENT);
  expect_words(weft_error(), {"array", "in the memory of a device"});
  weft_array_drop(&array);
}

TEST(CDevicesTest, StreamsOfOthersAreForDevicesThatHaveThem) {
  for (const char* const device : {"cpu", "emulated"}) {
    const CPlan plan(shape, std::string("kind=c2c device=") + device);
    EXPECT_EQ(weft_plan_set_stream(plan, nullptr), WEFT_ERROR_ARGUMENT);
    expect_words(weft_error(), {"set_stream", "no streams"});
  }
}

TEST(CDevicesTest, TheirNamesAreListed) {
  const std::string names = text_of([](auto... to) { return weft_names("devices", to...); });
  EXPECT_EQ(names.find("cpu,emulated,"), 0U) << names;
}

}  // namespace
}  // namespace weft::test
