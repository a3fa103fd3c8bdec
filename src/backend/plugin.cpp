// Messages of failures quote dlerror.
#include "backend/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <weft/error.hpp>
#include <weft/version.hpp>

#include "machine/opened_library.hpp"

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
  const OpenedLibrary opened{name};
  if (!opened.is_open())
    throw Error(fmt::format("the plugin {} cannot be opened: {}", library, dlerror()));
  DevicePluginEntry* entry = nullptr;
  const DevicePlugin* const plugin = opened.find(device_plugin_entry, entry) ? entry() : nullptr;
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
