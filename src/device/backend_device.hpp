// A device made of what a backend can do.
#pragma once

#include "device/backend.hpp"
#include "device/device.hpp"

namespace weft {

std::shared_ptr<Device> make_backend_device(std::shared_ptr<DeviceBackend> backend);

}  // namespace weft
