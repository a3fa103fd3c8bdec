// Other libraries that bench, exchange and net use are modules loaded at run time, so that their
// symbols cannot collide with Weft's: MKL exports FFTW's whole interface. The trade-off: more files
// that must be found beside the executable.
#pragma once

#include <string>
#include <vector>

namespace weft::bench {

struct Module {
  std::string name;     ///< the name that users give
  std::string file;     ///< without "weft-bench-" and ".so"
  std::string library;  ///< the library that the build looks for

  /// Whether this build has the module.
  bool is_built() const;
  /// Opens the module and finds its entry point; throws an Error that names the missing library.
  void* open(const char* entry) const;
};

std::vector<std::string> names_of(const std::vector<Module>& modules);
/// Throws an Error if there is no module of that name.
const Module& find_module(const std::vector<Module>& modules, const std::string& name);

}  // namespace weft::bench
