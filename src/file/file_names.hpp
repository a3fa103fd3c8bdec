// The names by which MPI-IO may know a file: implementations differ, so callers try several.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// The names to try for a path. ROMIO (MPICH) reads any text before a colon as the name of a file
/// system, as in "ufs:path". A path that contains a colon therefore needs the prefix "ufs:" for
/// ROMIO. Open MPI's own MPI-IO knows no prefixes, and needs the plain path. The prefix is tried
/// first, because ROMIO would open another file with the plain path: the part behind the colon.
inline std::vector<std::string> mpi_file_names(const std::string& path) {
  if (path.find(':') == std::string::npos) return {path};
  return {"ufs:" + path, path};
}

}  // namespace weft
