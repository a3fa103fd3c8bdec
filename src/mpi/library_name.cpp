// Library versions are prose; what they share is the name, then the word "version" or a "v" at
// most, then the number.
#include "mpi/library_name.hpp"

#include <mpi.h>

#include <regex>

namespace weft {

std::string short_mpi_name(const std::string& library_version) {
  // Cray puts a title before it: "MPI VERSION    : CRAY MPICH version 8.1.4 (ANL base 3.4a2)".
  static const std::regex pattern(
      R"(^(?:MPI VERSION\s*:\s*)?(.*?)\s*(?:version)?\s*:?\s+v?(\d[\w.\-]*))", std::regex::icase);
  const std::string line = library_version.substr(0, library_version.find_first_of("\n,"));
  std::smatch found;
  if (!std::regex_search(line, found, pattern)) return line.empty() ? "unknown MPI" : line;
  return found[1].str() + " " + found[2].str();
}

std::string mpi_name() {
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(library, &length);
  return short_mpi_name(std::string(library, static_cast<std::size_t>(length)));
}

}  // namespace weft
