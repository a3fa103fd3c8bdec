// dlopen, with its own words where it fails.
#include "backend/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <weft/error.hpp>
#include <weft/version.hpp>

namespace weft {
namespace {

namespace fs = std::filesystem;

/// Where a library of that name would be installed together with Weft.
fs::path beside_weft(const std::string& library) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_plugin), &info) == 0) return {};
  return fs::path(info.dli_fname).parent_path() / library;
}

const DevicePlugin& load(const std::string& library) {
  const fs::path beside = beside_weft(library);
  std::error_code none;
  const std::string name = fs::exists(beside, none) ? beside.string() : library;
  void* const opened = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr)
    throw Error(fmt::format("the plugin {} cannot be opened: {}", library, dlerror()));
  auto* const entry = reinterpret_cast<DevicePluginEntry*>(dlsym(opened, device_plugin_entry));
  const DevicePlugin* const plugin = entry == nullptr ? nullptr : entry();
  if (plugin == nullptr || plugin->weft_version != header_version)
    throw Error(
        fmt::format("the plugin {} is of another version of Weft than {}", library, version()));
  return *plugin;
}

}  // namespace

const DevicePlugin& find_plugin(const std::string& library) {
  static std::mutex mutex;
  static std::map<std::string, const DevicePlugin*> found;
  const std::lock_guard lock(mutex);
  const DevicePlugin*& plugin = found[library];
  if (plugin == nullptr) plugin = &load(library);
  return *plugin;
}

}  // namespace weft
