// Other libraries that bench, exchange and net use are modules loaded at run time, so that their
// symbols cannot meddle with Weft's: MKL exports FFTW's whole interface. The trade-off: files to
// find beside the executable.
#pragma once

#include <string>
#include <vector>

namespace weft::bench {

struct Module {
  std::string name;     ///< as the user knows it
  std::string file;     ///< without "weft-bench-" and ".so"
  std::string library;  ///< what the build looks for

  /// Whether this build has it.
  bool is_built() const;
  /// Opens the module and finds its entry; throws an Error that names the library it needs.
  void* open(const char* entry) const;
};

std::vector<std::string> names_of(const std::vector<Module>& modules);
/// Throws an Error where there is none of that name.
const Module& find_module(const std::vector<Module>& modules, const std::string& name);

}  // namespace weft::bench
