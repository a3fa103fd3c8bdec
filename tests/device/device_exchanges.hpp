// Which exchange methods work on the devices of these ranks.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "device/device_arrays.hpp"
#include "support/errors_on_all_ranks.hpp"
#include "support/ranks.hpp"

namespace weft::test {

/// Whether these ranks' devices have messages of their own. Messages of emulated ones stay on their
/// machine; a library for real ones may be missing, or refuse ranks that share a device.
inline bool have_device_messages() {
  if (devices().back().starts_with("emulated")) return on_one_machine();
  Options options;
  options.device = devices().back();
  options.exchange = "device_p2p";
  const auto refusal = message_of([&] { Plan(MPI_COMM_WORLD, {4, 4, 4}, Kind::c2c, options); });
  if (refusal && world_rank() == 0)
    std::printf("not tested here: device_p2p (%s)\n", refusal->c_str());
  return !refusal;
}

/// The exchange methods that reach the memory of devices.
inline const std::vector<std::string>& device_exchanges() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = exchanges_here();
    std::erase(all, "alltoallw");
    if (have_device_messages()) all.emplace_back("device_p2p");
    return all;
  }();
  return names;
}

}  // namespace weft::test
