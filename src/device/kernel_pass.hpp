// Passes of a device: one launch of a kernel per cell. They compute the same results as the host's
// passes, but refuse some computations when they are made.
#pragma once

#include <memory>
#include <vector>

#include "backend/kernel_launcher.hpp"
#include "pass/pass.hpp"

namespace weft {

/// A pass whose `run` only appends a launch, with the arrays and the scale that are bound at that
/// time. The pass must live until the stream has reached that launch. The views' addresses are the
/// device's. The computation has at most one step (see device_plane_pass.hpp for two). Throws an
/// Error for computations that kernels cannot do: DCT and DST, functions of the spectrum, sums, and
/// lines that do not fit a block of threads.
std::unique_ptr<Pass> make_kernel_pass(PassParts parts, KernelLauncher& launcher);

/// Throws an Error for computations that all passes of a device refuse, with kernels and with the
/// library.
void require_support(const PassSpec& spec);

/// The plan by which a kernel transforms these lines; it has no lines if none fits a block of
/// threads.
TilePlan plan_of_lines(const Step& step, Precision precision, const TileLimits& limits);

}  // namespace weft
