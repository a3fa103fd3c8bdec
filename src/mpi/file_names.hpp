// What MPI-IO calls a file.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// The names to try for a path. ROMIO (MPICH) takes what stands before a colon for the name of a
/// file system ("ufs:") whatever it is, so that a path with a colon of its own needs such a name in
/// front; Open MPI's own MPI-IO knows no such names, and is tried second because ROMIO would then
/// open what stands behind the colon.
inline std::vector<std::string> mpi_file_names(const std::string& path) {
  if (path.find(':') == std::string::npos) return {path};
  return {"ufs:" + path, path};
}

}  // namespace weft
