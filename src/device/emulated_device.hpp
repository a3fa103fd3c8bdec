// A pretended device, for tests without a real one: the host runs the kernels of devices, in the
// order of a stream.
#pragma once

#include <string>

#include "backend/backend.hpp"
#include "device/device.hpp"

namespace weft {

/// The time at which the stream does its work. `eager`: at once. `lazy`: not before a caller asks
/// or waits, and then one item at a time. Code that forgot to wait therefore always finds old
/// numbers.
enum class EmulatedOrder { eager, lazy };

/// `bus`: the bus address that the device reports.
std::shared_ptr<DeviceBackend> make_emulated_backend(EmulatedOrder order, std::string bus = {});

std::shared_ptr<Device> make_emulated_device(EmulatedOrder order);

/// The waiter for a stream of an emulated device: the host, which asks its marks, or another
/// stream.
enum class Waiter { host, passes, copies };

/// While this object lives, one kind of waiter does not wait for emulated streams. Tests use it to
/// show that missing waits are noticed.
class ForgottenWaits {
 public:
  explicit ForgottenWaits(Waiter forgetful);
  ~ForgottenWaits();
  ForgottenWaits(const ForgottenWaits&) = delete;
  ForgottenWaits& operator=(const ForgottenWaits&) = delete;
};

}  // namespace weft
