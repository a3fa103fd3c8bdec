// Stands in for libweft_cuda.so: two devices, which are emulated, and have the addresses of two of
// the four GPUs in topologies/four_gpus.xml. What a plugin and the library do
// together is tested with it where there is no GPU.
#include <weft/version.hpp>

#include "device/emulated_device.hpp"

namespace weft {
namespace {

constexpr DevicePlugin plugin{
    header_version, [](std::string&) { return 2; }, [] { return 1; },
    [](const char* bus) {
      const std::string_view address(bus);
      return address == "0000:3b:00.0" ? 1 : address == "0000:9b:00.0" ? 0 : -1;
    },
    [](int, std::shared_ptr<KernelStore>) { return make_emulated_backend(EmulatedOrder::lazy); }};

}  // namespace
}  // namespace weft

extern "C" __attribute__((visibility("default"))) const weft::DevicePlugin* weft_device_plugin_4() {
  return &weft::plugin;
}
