// Other libraries that bench and exchange measure are modules loaded at run time, so that their
// symbols cannot meddle with Weft's: MKL exports FFTW's whole interface. The trade-off: files to
// find beside the executable.
#pragma once

#include <filesystem>
#include <string>

namespace weft::bench {

/// "Open MPI v4.1.4"
std::string mpi_version();

/// Where the module of that name lies: beside the executable (build tree) or in ../libexec/weft
/// (installed). Empty where this build has none.
std::filesystem::path module_file(const std::string& name);

/// Opens the module and finds its entry; throws an Error that names the library it needs.
void* module_entry(const std::string& name, const std::string& library, const char* entry);

}  // namespace weft::bench
