// Plugins: separate libraries that drive the devices of a vendor. They are opened at run time, so
// that Weft needs no library of that vendor unless a plan asks for its devices.
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace weft {

/// The plugin in that library, which is searched beside Weft's own library and then by the system.
/// It is opened once and stays open. Throws an Error that says why it cannot be used.
const DevicePlugin& find_plugin(const std::string& library);

}  // namespace weft
