# Finds FFTW 3 and defines FFTW3::double, FFTW3::float, where there is one FFTW3::long_double (for tests alone) and, if
# it matches the MPI found, FFTW3::mpi.
#
# Libraries are looked for by name, not with pkg-config or FFTW's own CMake files: Debian ships no
# CMake files, autotools builds ship broken ones, and names work for a copy below any prefix.
# FFTW3::mpi (double) is only the baseline of `weft bench`. A libfftw3_mpi belongs to one MPI, so call
# find_package(MPI) first; the target is defined only if that is the MPI it was built for.
# Hints: FFTW3_ROOT, CMAKE_PREFIX_PATH.

include(FindPackageHandleStandardArgs)

find_path(FFTW3_INCLUDE_DIR fftw3.h)
find_library(FFTW3_DOUBLE_LIBRARY fftw3)
find_library(FFTW3_FLOAT_LIBRARY fftw3f)
find_library(FFTW3_LONG_DOUBLE_LIBRARY fftw3l)
find_library(FFTW3_MPI_LIBRARY fftw3_mpi)
find_path(FFTW3_MPI_INCLUDE_DIR fftw3-mpi.h)
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_DOUBLE_LIBRARY FFTW3_FLOAT_LIBRARY FFTW3_LONG_DOUBLE_LIBRARY
                 FFTW3_MPI_LIBRARY FFTW3_MPI_INCLUDE_DIR)

find_package_handle_standard_args(
  FFTW3 REQUIRED_VARS FFTW3_DOUBLE_LIBRARY FFTW3_FLOAT_LIBRARY FFTW3_INCLUDE_DIR)

function(_fftw3_target name library include_dir)
  if(NOT TARGET FFTW3::${name})
    add_library(FFTW3::${name} UNKNOWN IMPORTED)
    set_target_properties(FFTW3::${name} PROPERTIES IMPORTED_LOCATION "${library}"
                                                    INTERFACE_INCLUDE_DIRECTORIES "${include_dir}")
  endif()
endfunction()

# Whether libfftw3_mpi and the MPI found are both Open MPI or both not. Linking does not show a mismatch:
# the linker finds the other MPI by itself, and the program then crashes in that library's MPI_Init.
function(_fftw3_mpi_matches result)
  file(STRINGS "${FFTW3_MPI_LIBRARY}" open_mpi_symbols REGEX "ompi_mpi_" LIMIT_COUNT 1)
  include(CheckCXXSymbolExists)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
  set(CMAKE_REQUIRED_QUIET TRUE)
  check_cxx_symbol_exists(OPEN_MPI mpi.h FFTW3_WITH_OPEN_MPI)
  if((open_mpi_symbols AND FFTW3_WITH_OPEN_MPI)
     OR (NOT open_mpi_symbols AND NOT FFTW3_WITH_OPEN_MPI))
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(FFTW3_FOUND)
  _fftw3_target(double "${FFTW3_DOUBLE_LIBRARY}" "${FFTW3_INCLUDE_DIR}")
  _fftw3_target(float "${FFTW3_FLOAT_LIBRARY}" "${FFTW3_INCLUDE_DIR}")
  if(FFTW3_LONG_DOUBLE_LIBRARY)
    _fftw3_target(long_double "${FFTW3_LONG_DOUBLE_LIBRARY}" "${FFTW3_INCLUDE_DIR}")
  endif()
  if(FFTW3_MPI_LIBRARY AND FFTW3_MPI_INCLUDE_DIR AND TARGET MPI::MPI_CXX AND NOT TARGET FFTW3::mpi)
    _fftw3_mpi_matches(FFTW3_MPI_MATCHES)
    if(FFTW3_MPI_MATCHES)
      _fftw3_target(mpi "${FFTW3_MPI_LIBRARY}" "${FFTW3_MPI_INCLUDE_DIR}")
      target_link_libraries(FFTW3::mpi INTERFACE FFTW3::double MPI::MPI_CXX)
    endif()
  endif()
endif()
