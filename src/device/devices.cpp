// The table of devices, and the host as one of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "backend/kernel_store.hpp"
#include "backend/plugin.hpp"
#include "device/backend_device.hpp"
#include "device/emulated_device.hpp"

namespace weft {
namespace {

class HostDevice : public Device {
 public:
  MemorySpace& memory() override { return host_memory(); }
  bool holds(const void*) const override { return false; }
  DlpackDevice dlpack_device() const override { return {1, 0}; }
  Stream* stream() override { return nullptr; }
  std::unique_ptr<Pass> make_pass(PassParts parts, const Caches& caches) override {
    return weft::make_pass(std::move(parts), caches);
  }
};

/// A kind of devices. Devices of a plugin have numbers.
struct DeviceKind {
  std::string name;
  /// Bytes of a group of planes of two axes that stays in the device's cache while a pass
  /// transforms both: a fifth of the second-level cache of an A100, a quarter of an MI250's,
  /// because the arrays that are read and written pass through it as well. 0: the host, whose
  /// caches are found.
  std::size_t group_bytes;
  /// Whether passes transform two axes where the caller leaves it open. On an H200 launches of
  /// groups of planes in turns took 1.06 of the time of two sweeps (docs/performance.md).
  bool pairs_axes;
  std::string plugin;                 ///< its library; empty if Weft itself has the device
  std::shared_ptr<Device> (*open)();  ///< null if there is a plugin
};

const std::vector<DeviceKind>& kinds() {
  static const std::vector<DeviceKind> table{
      {"cpu", 0, true, "",
       [] { return std::shared_ptr<Device>(std::shared_ptr<void>(), &host_device()); }},
      {"emulated", 8 << 10, true, "", [] { return make_emulated_device(EmulatedOrder::eager); }},
      {"emulated-lazy", 8 << 10, true, "",
       [] { return make_emulated_device(EmulatedOrder::lazy); }},
      {"cuda", 8 << 20, false, "libweft_cuda.so", nullptr},
      {"hip", 2 << 20, false, "libweft_hip.so", nullptr}};
  return table;
}

/// The ending of a name that stands for a number.
constexpr std::string_view by_place = ":auto";

/// The kind that a name means, if any, and the number behind its colon.
struct NamedDevice {
  const DeviceKind* kind = nullptr;
  std::optional<int> number;
};

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end || number < 0) return std::nullopt;
  return number;
}

NamedDevice find_device(const std::string& name) {
  for (const DeviceKind& kind : kinds()) {
    if (name == kind.name) return {&kind, std::nullopt};
    if (!kind.plugin.empty() && name == kind.name + std::string(by_place))
      return {&kind, std::nullopt};
    if (kind.plugin.empty() || !name.starts_with(kind.name + ":")) continue;
    if (const auto number = number_in(std::string_view(name).substr(kind.name.size() + 1)))
      return {&kind, number};
  }
  return {};
}

NamedDevice named(const std::string& name) {
  const NamedDevice device = find_device(name);
  if (device.kind != nullptr) return device;
  throw Error(fmt::format("device {}: valid are {}", name, fmt::join(valid_device_names(), ", ")));
}

/// The result of use(plugin, number of its devices here). Throws an Error if there is no device.
template <class Use>
auto by_plugin(const std::string& name, const NamedDevice& device, const Use& use) {
  try {
    const DevicePlugin& plugin = find_plugin(device.kind->plugin);
    std::string reason;
    const int count = plugin.count(reason);
    if (count == 0) throw Error(reason);
    return use(plugin, count);
  } catch (const std::exception& error) {
    throw Error(fmt::format("device {}: {}; valid here are {}", name, error.what(),
                            fmt::join(device_names(), ", ")));
  }
}

std::shared_ptr<Device> open_by_plugin(const std::string& name, const NamedDevice& device) {
  return by_plugin(name, device, [&](const DevicePlugin& plugin, int count) {
    const int number = device.number ? *device.number : plugin.current();
    if (number >= count)
      throw Error(fmt::format("there are {} here, {}:0 to {}:{}", count, device.kind->name,
                              device.kind->name, count - 1));
    return make_backend_device(plugin.open(number, default_kernel_store()));
  });
}

/// The names of this kind's devices on this machine.
std::vector<std::string> names_here(const DeviceKind& kind) {
  if (kind.plugin.empty()) return {kind.name};
  try {
    std::string reason;
    const int count = find_plugin(kind.plugin).count(reason);
    std::vector<std::string> names;
    if (count > 0) names.push_back(kind.name);
    if (count > 0) names.push_back(kind.name + std::string(by_place));
    for (int number = 0; number < count; ++number)
      names.push_back(fmt::format("{}:{}", kind.name, number));
    return names;
  } catch (const Error&) {
    return {};  // there is no plugin
  }
}

}  // namespace

void Device::copy(void* to, const void* from, std::size_t bytes) {
  if (Stream* const own = stream())
    own->copy(to, from, bytes);
  else if (bytes > 0)  // there may be no memory at all
    std::memcpy(to, from, bytes);
}

void Device::use_stream(void*) {
  throw Error("set_stream: the plan's device has no streams that a caller could make");
}

void Device::drain() noexcept {
  try {
    synchronize();
  } catch (const std::exception&) {
  }
}

void Device::let_go_of_stream() noexcept {
  try {
    use_own_stream();
  } catch (const std::exception&) {  // a device that has failed takes no work any more
  }
}

Device& host_device() {
  static HostDevice device;
  return device;
}

bool is_host_device(const std::string& name) { return name == kinds().front().name; }

void require_host(const std::string& device, const std::string& feature) {
  if (is_host_device(device)) return;
  throw Error(fmt::format("{}: device={} does not have it; valid is device=cpu", feature, device));
}

bool works_on(const Engine& engine, const std::string& device) {
  return is_host_device(device) ? engine.on_host : engine.on_devices;
}

std::vector<std::string> engine_names_on(const std::string& device) {
  std::vector<std::string> names;
  for (const Engine& engine : engines())
    if (works_on(engine, device)) names.push_back(engine.name);
  return names;
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const DeviceKind& kind : kinds())
    std::ranges::move(names_here(kind), std::back_inserter(names));
  return names;
}

std::vector<std::string> valid_device_names() {
  std::vector<std::string> names;
  for (const DeviceKind& kind : kinds()) {
    names.push_back(kind.name);
    if (kind.plugin.empty()) continue;
    names.push_back(kind.name + ":N");
    names.push_back(kind.name + std::string(by_place));
  }
  return names;
}

bool is_chosen_by_place(const std::string& name) {
  return is_device_name(name) && name.ends_with(by_place);
}

std::string nearest_device(const std::string& name, std::vector<GpuPlace> gpus,
                           const std::vector<std::string>& bindings, int rank_on_node) {
  const NamedDevice device = named(name);
  return by_plugin(name, device, [&](const DevicePlugin& plugin, int count) {
    std::erase_if(gpus, [&](const GpuPlace& gpu) { return plugin.at(gpu.bus.c_str()) < 0; });
    const GpuShare own = share_gpus(gpus, bindings)[static_cast<std::size_t>(rank_on_node)];
    const int number = own.gpu < 0 ? rank_on_node % count
                                   : plugin.at(gpus[static_cast<std::size_t>(own.gpu)].bus.c_str());
    return fmt::format("{}:{}", device.kind->name, number);
  });
}

bool is_device_name(const std::string& name) { return find_device(name).kind != nullptr; }

Caches device_caches(const Options& options, const Caches& of_host) {
  const DeviceKind& kind = *named(options.device).kind;
  const bool pairs_axes = options.axes_per_pass == 0 ? kind.pairs_axes : options.axes_per_pass == 2;
  if (!pairs_axes) return {of_host.level1, 0, 0};
  return kind.group_bytes == 0 ? of_host : Caches{of_host.level1, kind.group_bytes, 0};
}

std::shared_ptr<Device> open_device(const std::string& name) {
  const NamedDevice device = named(name);
  return device.kind->open != nullptr ? device.kind->open() : open_by_plugin(name, device);
}

}  // namespace weft
