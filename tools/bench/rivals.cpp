// Finds a rival's module beside the executable (build tree) or in ../libexec/weft (installed).
#include "bench/rivals.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "parallel_file.hpp"

namespace weft::bench {
namespace {

struct Known {
  std::string name;
  std::string library;  ///< what the build looks for
};

const std::vector<Known>& known_rivals() {
  static const std::vector<Known> all = {
      {"fftw-mpi", "FFTW-MPI (libfftw3_mpi)"},
      {"mkl", "MKL's cluster FFT (libmkl_cdft_core and a libmkl_blacs)"},
  };
  return all;
}

std::filesystem::path module_file(const std::string& name) {
  const auto directory = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string file = "weft-bench-" + name + ".so";
  for (const auto& place : {directory, directory.parent_path() / "libexec" / "weft"})
    if (std::filesystem::exists(place / file)) return place / file;
  return {};
}

// RTLD_LOCAL keeps the rival's symbols from everybody else; not
// RTLD_DEEPBIND, with which it would miss the copies that the executable holds of MPI's own
// objects.
MakeRival* entry_of(const Known& rival) {
  const auto file = module_file(rival.name);
  if (file.empty())
    throw Error("this build found no " + rival.library + " made for " + mpi_version());
  void* const handle =
      dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: MKL has threads
  void* const entry = handle != nullptr ? dlsym(handle, "weft_bench_rival") : nullptr;
  if (entry == nullptr) throw Error(dlerror());
  return reinterpret_cast<MakeRival*>(entry);
}

}  // namespace

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

const std::vector<std::string>& rival_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Known& rival : known_rivals()) result.push_back(rival.name);
    return result;
  }();
  return names;
}

RivalModule open_rival(const std::string& name, MPI_Comm communicator) {
  RivalModule module;
  module.name = name;
  try {
    command::agree_on(communicator, [&] {
      const auto known = std::ranges::find(known_rivals(), name, &Known::name);
      if (known == known_rivals().end()) throw Error("it is not a library that bench knows");
      module.make = entry_of(*known);
    });
  } catch (const Error& error) {
    module.make = nullptr;
    module.unavailable = error.what();
  }
  return module;
}

PlannedRival plan_rival(const RivalModule& module, const Problem& problem) {
  PlannedRival rival;
  rival.name = module.name;
  rival.unavailable = module.unavailable;
  if (module.make == nullptr) return rival;
  try {
    module.make(problem, rival);
  } catch (const Error& error) {
    rival.candidates.clear();
    rival.unavailable = error.what();
  }
  return rival;
}

}  // namespace weft::bench
