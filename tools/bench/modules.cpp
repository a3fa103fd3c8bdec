// A module is beside the executable (build tree) or in ../libexec/weft (installed).
#include "bench/modules.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <weft/error.hpp>

#include "mpi/library_name.hpp"

namespace weft::bench {
namespace {

/// Empty if this build does not have the module.
std::filesystem::path place_of(const Module& module) {
  const auto directory = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string file = "weft-bench-" + module.file + ".so";
  for (const auto& place : {directory, directory.parent_path() / "libexec" / "weft"})
    if (std::filesystem::exists(place / file)) return place / file;
  return {};
}

}  // namespace

bool Module::is_built() const { return !place_of(*this).empty(); }

// RTLD_LOCAL hides the module's symbols from everything else. Not RTLD_DEEPBIND: with it the module
// would not use the executable's copies of MPI's own objects.
void* Module::open(const char* entry) const {
  const auto place = place_of(*this);
  if (place.empty()) throw Error("this build found no " + library + " made for " + mpi_name());
  void* const handle =
      dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: MKL has threads
  void* const found = handle != nullptr ? dlsym(handle, entry) : nullptr;
  if (found == nullptr) throw Error(dlerror());
  return found;
}

std::vector<std::string> names_of(const std::vector<Module>& modules) {
  std::vector<std::string> names;
  for (const Module& module : modules) names.push_back(module.name);
  return names;
}

const Module& find_module(const std::vector<Module>& modules, const std::string& name) {
  const auto found = std::ranges::find(modules, name, &Module::name);
  if (found == modules.end()) throw Error("\"" + name + "\" is not a library that weft knows");
  return *found;
}

}  // namespace weft::bench
