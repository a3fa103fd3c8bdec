// Finding and opening modules.
#include "bench/modules.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <string_view>
#include <weft/error.hpp>

namespace weft::bench {

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string version(text, static_cast<std::size_t>(length));
  version.resize(std::min(version.find_first_of(",\n"), version.size()));
  constexpr std::string_view wordy = " Version:";  // and a tab: MPICH
  if (const auto at = version.find(wordy); at != std::string::npos) {
    version.erase(at, wordy.size());
    version[at] = ' ';
  }
  return version;
}

std::filesystem::path module_file(const std::string& name) {
  const auto directory = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string file = "weft-bench-" + name + ".so";
  for (const auto& place : {directory, directory.parent_path() / "libexec" / "weft"})
    if (std::filesystem::exists(place / file)) return place / file;
  return {};
}

// RTLD_LOCAL keeps the module's symbols from everybody else; not RTLD_DEEPBIND, with which it would
// miss the copies that the executable holds of MPI's own objects.
void* module_entry(const std::string& name, const std::string& library, const char* entry) {
  const auto file = module_file(name);
  if (file.empty()) throw Error("this build found no " + library + " made for " + mpi_version());
  void* const handle =
      dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: MKL has threads
  void* const found = handle != nullptr ? dlsym(handle, entry) : nullptr;
  if (found == nullptr) throw Error(dlerror());
  return found;
}

}  // namespace weft::bench
