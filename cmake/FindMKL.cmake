# Finds Intel MKL and defines
#   MKL::rt          only mkl_rt (interface and threading chosen at run time)
#   MKL::lp64        lp64 interface and core, with threads of GNU's OpenMP where the compiler uses it
#                    too, else sequential: no second OpenMP runtime in the process
#   MKL::cdft        the cluster FFT with the BLACS layer for the MPI found, on MKL::lp64;
#                    only if its files exist and find_package(MPI) was called first
#
# MKL's own MKLConfig.cmake fails on a pip install, which has no unversioned libmkl_*.so. Do not link
# MKL::rt and MKL::lp64 into one program, and put FFTW before either: MKL exports FFTW's function
# names too, and the first library on the link line wins.
# Hints: MKL_ROOT, MKLROOT (also in the environment), .deps/venv (`pip install mkl-devel` there).

include(FindPackageHandleStandardArgs)

set(_mkl_hints ${MKLROOT} $ENV{MKLROOT} "${PROJECT_SOURCE_DIR}/.deps/venv" /opt/intel/oneapi/mkl/latest)
find_path(MKL_INCLUDE_DIR mkl_dfti.h HINTS ${_mkl_hints} PATH_SUFFIXES include include/mkl)

function(_mkl_library variable name)
  find_library(
    ${variable} NAMES ${name} lib${name}.so.3 lib${name}.so.2 HINTS ${_mkl_hints}
    PATH_SUFFIXES lib lib/intel64 lib/intel64_lin)
  mark_as_advanced(${variable})
endfunction()

_mkl_library(MKL_RT_LIBRARY mkl_rt)
_mkl_library(MKL_LP64_LIBRARY mkl_intel_lp64)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  _mkl_library(MKL_THREAD_LIBRARY mkl_gnu_thread)
  find_package(OpenMP QUIET COMPONENTS CXX)
endif()
_mkl_library(MKL_SEQUENTIAL_LIBRARY mkl_sequential)
_mkl_library(MKL_CORE_LIBRARY mkl_core)
_mkl_library(MKL_CDFT_LIBRARY mkl_cdft_core)
_mkl_library(MKL_BLACS_OPENMPI_LIBRARY mkl_blacs_openmpi_lp64)
_mkl_library(MKL_BLACS_INTELMPI_LIBRARY mkl_blacs_intelmpi_lp64)
mark_as_advanced(MKL_INCLUDE_DIR)

find_package_handle_standard_args(MKL REQUIRED_VARS MKL_RT_LIBRARY MKL_INCLUDE_DIR)

# MKL's libraries do not declare their dependencies, so the linker must keep libraries that look unused
# (by default it drops them on Ubuntu).
function(_mkl_target name)
  if(NOT TARGET MKL::${name})
    add_library(MKL::${name} INTERFACE IMPORTED)
    list(GET ARGN 0 first)
    get_filename_component(directory "${first}" DIRECTORY)
    target_include_directories(MKL::${name} INTERFACE "${MKL_INCLUDE_DIR}")
    target_link_options(MKL::${name} INTERFACE LINKER:--no-as-needed)
    target_link_libraries(MKL::${name} INTERFACE ${ARGN})
  endif()
endfunction()

if(MKL_FOUND)
  _mkl_target(rt "${MKL_RT_LIBRARY}")
  if(MKL_LP64_LIBRARY AND MKL_THREAD_LIBRARY AND MKL_CORE_LIBRARY AND OpenMP_CXX_FOUND)
    _mkl_target(lp64 "${MKL_LP64_LIBRARY}" "${MKL_THREAD_LIBRARY}" "${MKL_CORE_LIBRARY}" OpenMP::OpenMP_CXX)
  elseif(MKL_LP64_LIBRARY AND MKL_SEQUENTIAL_LIBRARY AND MKL_CORE_LIBRARY)
    _mkl_target(lp64 "${MKL_LP64_LIBRARY}" "${MKL_SEQUENTIAL_LIBRARY}" "${MKL_CORE_LIBRARY}")
  endif()
  if(TARGET MPI::MPI_CXX AND TARGET MKL::lp64)
    # Assumes that every MPI except Open MPI has MPICH's binary interface, as Intel MPI does.
    include(CheckCXXSymbolExists)
    set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
    check_cxx_symbol_exists(OPEN_MPI mpi.h MKL_WITH_OPEN_MPI)
    unset(CMAKE_REQUIRED_LIBRARIES)
    set(_mkl_blacs "${MKL_BLACS_INTELMPI_LIBRARY}")
    if(MKL_WITH_OPEN_MPI)
      set(_mkl_blacs "${MKL_BLACS_OPENMPI_LIBRARY}")
    endif()
    if(MKL_CDFT_LIBRARY AND _mkl_blacs)
      _mkl_target(cdft "${MKL_CDFT_LIBRARY}" "${_mkl_blacs}" MKL::lp64 MPI::MPI_CXX)
    endif()
  endif()
endif()
