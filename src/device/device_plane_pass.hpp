// Passes of two axes on a device.
#pragma once

#include <functional>
#include <memory>

#include "backend/scratch.hpp"
#include "pass/pass.hpp"

namespace weft {

/// A pass of two steps as two passes of one step each, which `make` makes: planes of both axes, a
/// group of about `group_bytes` at a time, go through `scratch`, and stay in the device's cache
/// between the steps. The scratch memory must live as long as the pass. Throws an Error as
/// `make_kernel_pass` does.
std::unique_ptr<Pass> make_device_plane_pass(
    PassParts parts, Index group_bytes, Scratch& scratch,
    const std::function<std::unique_ptr<Pass>(PassParts)>& make);

}  // namespace weft
