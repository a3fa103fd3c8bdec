// A pretended device, for tests without one: the kernels of devices, run by the host, on a stream.
#pragma once

#include <string>

#include "backend/backend.hpp"
#include "device/device.hpp"

namespace weft {

/// When the stream does what it holds. `eager`: at once. `lazy`: not before somebody asks or waits,
/// and then one thing at a time, so that what forgot to wait always finds old numbers.
enum class EmulatedOrder { eager, lazy };

/// `bus`: what it says of its place.
std::shared_ptr<DeviceBackend> make_emulated_backend(EmulatedOrder order, std::string bus = {});

std::shared_ptr<Device> make_emulated_device(EmulatedOrder order);

/// Who waits for a stream of an emulated device: the host, which asks its marks; or another stream.
enum class Waiter { host, passes, copies };

/// While it lives, one of them does not wait for emulated streams. For tests that show that it is
/// noticed.
class ForgottenWaits {
 public:
  explicit ForgottenWaits(Waiter forgetful);
  ~ForgottenWaits();
  ForgottenWaits(const ForgottenWaits&) = delete;
  ForgottenWaits& operator=(const ForgottenWaits&) = delete;
};

}  // namespace weft
