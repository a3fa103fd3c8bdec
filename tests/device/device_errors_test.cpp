// Errors of plans that name devices, whichever is tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <weft/describe.hpp>

#include "device/device_arrays.hpp"
#include "support/errors_on_all_ranks.hpp"

namespace weft::test {
namespace {

TEST(DeviceErrorsTest, MessagesOfDevicesWithoutADevice) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is no exchange";
  expect_plan_error({{6, 7, 8}, Kind::c2c}, options_for("cpu", "device_p2p"),
                    {"exchange device_p2p", "device=cpu", "valid there are auto", "p2p"});
}

TEST(DeviceErrorsTest, MessagesThatCannotReachTheOtherMachines) {
  if (on_one_machine()) GTEST_SKIP() << "there are none";
  expect_plan_error({{6, 7, 8}, Kind::c2c}, options_for("emulated", "device_p2p"),
                    {"emulated devices reach each other only where processes see each other's"});
}

TEST(DeviceErrorsTest, EnginesOfTheOtherPlace) {
  Options options = options_for("cpu");
  options.engine = "library";
  expect_plan_error({{6, 7}, Kind::c2c}, options,
                    {"engine library", "device=cpu", "valid there are auto, weft"});
  options.device = "emulated";
  options.engine = "fftw";
  if (std::ranges::count(engine_names(), options.engine) > 0)
    expect_plan_error({{6, 7}, Kind::c2c}, options,
                      {"engine fftw", "device=emulated", "valid there are auto, weft, library"});
}

TEST(DeviceErrorsTest, AnUnknownDevice) {
  for (const std::string name : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1.", "cpu:0", ""})
    expect_plan_error({{4, 4}, Kind::c2c}, changed([&](Options& o) { o.device = name; }),
                      {"device=" + name, "valid are cpu, emulated, emulated-lazy, cuda, cuda:N"});
  expect_error([] { Options::parse("device=gpu"); }, {"valid are cpu, emulated"});
}

/// Planes of 16 KiB stay in the cache of an emulated device, of 16 MiB in the cache of an NVIDIA
/// GPU.
TEST(DeviceErrorsTest, RoutesPairAxesWhosePlanesStayInTheCache) {
  const std::string two_axes = ", then ";
  const auto pairs = [&](const Shape& shape, const char* device, int axes_per_pass) {
    Options options = options_for(device);
    options.axes_per_pass = axes_per_pass;
    const std::string text = describe(Transform(shape, Kind::c2c), options, 1);
    return text.find(two_axes) != std::string::npos;
  };
  EXPECT_TRUE(pairs({32, 32, 32}, "emulated", 0));
  EXPECT_FALSE(pairs({32, 32, 32}, "emulated", 1));
  EXPECT_FALSE(pairs({33, 33, 33}, "emulated", 2));
  for (const char* const gpu : {"cuda", "hip"}) EXPECT_FALSE(pairs({64, 64, 64}, gpu, 0)) << gpu;
  EXPECT_TRUE(pairs({1024, 1024, 1024}, "cuda", 2));
  EXPECT_FALSE(pairs({2048, 2048, 2048}, "cuda", 2));
  EXPECT_TRUE(pairs({512, 512, 512}, "hip", 2));
  EXPECT_FALSE(pairs({1024, 1024, 1024}, "hip", 2));
  EXPECT_TRUE(pairs({64, 64, 64}, "cpu", 0));
  EXPECT_FALSE(pairs({64, 64, 64}, "cpu", 1));
}

}  // namespace
}  // namespace weft::test
