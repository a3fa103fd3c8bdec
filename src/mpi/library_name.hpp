// The MPI library's name and version in a few words: a key for measurements, so it leaves out
// build details that do not matter for speed.
#pragma once

#include <string>

namespace weft {

/// The name of the MPI library of this process, for example "Open MPI 4.1.4" or "MPICH 4.0.2". May
/// be called before MPI_Init.
std::string mpi_name();

/// Shortens the text of MPI_Get_library_version to that form.
std::string short_mpi_name(const std::string& library_version);

}  // namespace weft
