// The MPI library's name and version in a few words, as a key of what was measured with it.
#pragma once

#include <string>

namespace weft {

/// "Open MPI 4.1.4", "MPICH 4.0.2": of the library that this process runs with. Needs no MPI_Init.
std::string mpi_name();

/// The same from what MPI_Get_library_version says.
std::string short_mpi_name(const std::string& library_version);

}  // namespace weft
