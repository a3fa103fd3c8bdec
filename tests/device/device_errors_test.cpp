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

TEST(DeviceErrorsTest, RoutesOfDevicesTransformOneAxisInAPass) {
  const Transform transform({8, 8, 8}, Kind::c2c);
  const std::string two_axes = ", then ";
  EXPECT_NE(describe(transform, options_for("cpu"), 1).find(two_axes), std::string::npos);
  EXPECT_EQ(describe(transform, options_for("emulated"), 1).find(two_axes), std::string::npos);
}

}  // namespace
}  // namespace weft::test
