// Plugins: libraries of their own that drive the devices of a vendor. They are opened at run time,
// so that Weft needs nothing of that vendor where no plan asks for its devices.
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace weft {

/// The plugin in that library, which is looked for beside Weft's own and then as the system does.
/// It is opened once and stays. Throws an Error that says why it cannot be used.
const DevicePlugin& find_plugin(const std::string& library);

}  // namespace weft
