# Finds OpenBLAS with its C interface and defines OpenBLAS::OpenBLAS.
#
# Only `weft net throughput` uses it. Debian installs several builds in separate folders; the one that the
# system prefers is found first. Hints: OpenBLAS_ROOT, CMAKE_PREFIX_PATH.

include(FindPackageHandleStandardArgs)

set(_openblas_folders openblas openblas-pthread openblas-openmp openblas-serial)
find_library(OPENBLAS_LIBRARY NAMES openblas PATH_SUFFIXES ${_openblas_folders})
find_path(OPENBLAS_INCLUDE_DIR NAMES cblas.h PATH_SUFFIXES ${_openblas_folders})
mark_as_advanced(OPENBLAS_LIBRARY OPENBLAS_INCLUDE_DIR)

find_package_handle_standard_args(OpenBLAS REQUIRED_VARS OPENBLAS_LIBRARY OPENBLAS_INCLUDE_DIR)

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION "${OPENBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OPENBLAS_INCLUDE_DIR}")
endif()
