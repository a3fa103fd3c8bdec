// Stands in for libweft_cuda.so: two devices, which are emulated, and have the addresses of two of
// the four GPUs in unit/machine/topologies/four_gpus.xml. It tests how a plugin and the library
// work together, where there is no GPU.
#include <algorithm>
#include <array>
#include <string_view>
#include <weft/version.hpp>

#include "device/emulated_device.hpp"

namespace weft {
namespace {

constexpr std::array buses{"0000:9b:00.0", "0000:3b:00.0"};  // by number

constexpr DevicePlugin plugin{
    header_version, [](std::string&) { return static_cast<int>(buses.size()); }, [] { return 1; },
    [](const char* bus) {
      const auto found = std::ranges::find(buses, std::string_view(bus));
      return found == buses.end() ? -1 : static_cast<int>(found - buses.begin());
    },
    [](int number, std::shared_ptr<KernelStore>) {
      return make_emulated_backend(EmulatedOrder::lazy, buses[static_cast<std::size_t>(number)]);
    }};

}  // namespace
}  // namespace weft

extern "C" __attribute__((visibility("default"))) const weft::DevicePlugin* weft_device_plugin_5() {
  return &weft::plugin;
}
