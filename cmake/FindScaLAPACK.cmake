# Finds ScaLAPACK for the MPI found and defines ScaLAPACK::ScaLAPACK.
#
# It is only a baseline of `weft exchange`, so only shared libraries are searched: they load LAPACK
# and the rest themselves. A libscalapack belongs to one MPI, and linking does not show which: so
# call find_package(MPI) first. Hints: ScaLAPACK_ROOT, CMAKE_PREFIX_PATH.

include(FindPackageHandleStandardArgs)
include(CheckCXXSymbolExists)

set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
set(CMAKE_REQUIRED_QUIET TRUE)
check_cxx_symbol_exists(OPEN_MPI mpi.h SCALAPACK_WITH_OPEN_MPI)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_QUIET)

# Debian's library names contain the MPI. Elsewhere there is only one library, which must be inspected.
if(SCALAPACK_WITH_OPEN_MPI)
  find_library(SCALAPACK_LIBRARY NAMES scalapack-openmpi scalapack)
else()
  find_library(SCALAPACK_LIBRARY NAMES scalapack-mpich scalapack)
endif()
mark_as_advanced(SCALAPACK_LIBRARY)

set(SCALAPACK_MATCHES_MPI FALSE)
if(SCALAPACK_LIBRARY)
  file(STRINGS "${SCALAPACK_LIBRARY}" _scalapack_open_mpi REGEX "ompi_mpi_" LIMIT_COUNT 1)
  if((_scalapack_open_mpi AND SCALAPACK_WITH_OPEN_MPI)
     OR (NOT _scalapack_open_mpi AND NOT SCALAPACK_WITH_OPEN_MPI))
    set(SCALAPACK_MATCHES_MPI TRUE)
  endif()
endif()

find_package_handle_standard_args(ScaLAPACK REQUIRED_VARS SCALAPACK_LIBRARY SCALAPACK_MATCHES_MPI)

if(ScaLAPACK_FOUND AND NOT TARGET ScaLAPACK::ScaLAPACK)
  add_library(ScaLAPACK::ScaLAPACK UNKNOWN IMPORTED)
  set_target_properties(ScaLAPACK::ScaLAPACK PROPERTIES IMPORTED_LOCATION "${SCALAPACK_LIBRARY}")
  target_link_libraries(ScaLAPACK::ScaLAPACK INTERFACE MPI::MPI_CXX)
endif()
