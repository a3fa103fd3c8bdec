// A device that runs on the operations of a backend.
#pragma once

#include "backend/backend.hpp"
#include "backend/line_library.hpp"
#include "device/device.hpp"

namespace weft {

/// `batch_bytes`: see LineLibrary.
std::shared_ptr<Device> make_backend_device(std::shared_ptr<DeviceBackend> backend,
                                            Index batch_bytes = LineLibrary::usual_bytes);

}  // namespace weft
