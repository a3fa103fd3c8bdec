# weft::fortran: module weft, where there is a Fortran compiler. It needs no MPI of Fortran's; the tests and
# examples do, and get the one that belongs to the C++ wrapper (mpifort.mpich beside mpicxx.mpich).
if(NOT WEFT_BUILD_FORTRAN)
  return()
endif()
include(CheckLanguage)
include(WeftMpi)
check_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER)
  return()
endif()
enable_language(Fortran)

set(WEFT_FORTRAN_MODULES ${PROJECT_BINARY_DIR}/fortran)
set(WEFT_FORTRAN_FLAGS)
if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
  set(WEFT_FORTRAN_FLAGS -std=f2018)
endif()

add_library(weft_fortran fortran/weft.f90)
add_library(weft::fortran ALIAS weft_fortran)
target_compile_options(weft_fortran PRIVATE ${WEFT_FORTRAN_FLAGS})
target_link_libraries(weft_fortran PUBLIC weft)
target_include_directories(weft_fortran PUBLIC
  $<BUILD_INTERFACE:${WEFT_FORTRAN_MODULES}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/weft/fortran>)
get_target_property(soversion weft SOVERSION)
set_target_properties(weft_fortran PROPERTIES
  EXPORT_NAME fortran LIBRARY_OUTPUT_DIRECTORY $<TARGET_FILE_DIR:weft> INSTALL_RPATH "$ORIGIN" VERSION ${PROJECT_VERSION} SOVERSION ${soversion}
  Fortran_MODULE_DIRECTORY ${WEFT_FORTRAN_MODULES})
weft_link_as_installed(weft_fortran)

# For programs in Fortran that call MPI.
weft_mpi_wrapper(weft_mpifort mpifort)
if(NOT MPI_Fortran_COMPILER AND NOT weft_mpifort STREQUAL MPI_CXX_COMPILER AND EXISTS ${weft_mpifort})
  set(MPI_Fortran_COMPILER ${weft_mpifort} CACHE FILEPATH "MPI's wrapper for Fortran")
endif()
find_package(MPI QUIET COMPONENTS Fortran)

# Modules of other libraries on module weft, which programs use in their place. They are compiled by the program's own
# compiler, so the sources are installed.
function(weft_add_compatible name)
  cmake_parse_arguments(given "" "" "SOURCES;DEFINITIONS" ${ARGN})
  if(NOT MPI_Fortran_FOUND)
    return()
  endif()
  list(TRANSFORM given_SOURCES PREPEND fortran/compat/)
  add_library(weft_${name} STATIC EXCLUDE_FROM_ALL ${given_SOURCES})
  add_library(weft::${name} ALIAS weft_${name})
  set(modules ${PROJECT_BINARY_DIR}/fortran/${name})
  target_compile_definitions(weft_${name} PUBLIC ${given_DEFINITIONS})
  target_compile_options(weft_${name} PRIVATE $<$<Fortran_COMPILER_ID:GNU>:-ffree-line-length-none>)
  target_include_directories(weft_${name} PUBLIC ${modules})
  target_link_libraries(weft_${name} PUBLIC weft_fortran MPI::MPI_Fortran)
  set_target_properties(weft_${name} PROPERTIES Fortran_MODULE_DIRECTORY ${modules} POSITION_INDEPENDENT_CODE ON)
endfunction()
weft_add_compatible(p3dfft SOURCES p3dfft.F90)
weft_add_compatible(p3dfft_stride1 SOURCES p3dfft.F90 DEFINITIONS STRIDE1)
set(sources decomp_2d_base.F90 decomp_2d.F90 decomp_2d_fft.F90 decomp_2d_io.F90)
list(TRANSFORM sources PREPEND decomp_2d/)
weft_add_compatible(decomp_2d SOURCES ${sources} DEFINITIONS DOUBLE_PREC)
weft_add_compatible(decomp_2d_single SOURCES ${sources})
