# weft::fortran: module weft, where there is a Fortran compiler. It needs no MPI of Fortran's; the tests and
# examples do, and get the one that belongs to the C++ wrapper (mpifort.mpich beside mpicxx.mpich).
if(NOT WEFT_BUILD_FORTRAN)
  return()
endif()
include(CheckLanguage)
include(WeftMpi)
if(NOT CMAKE_Fortran_COMPILER) # check_language would not search again for one that has been installed since
  unset(CMAKE_Fortran_COMPILER CACHE)
endif()
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

include(WeftCompatible)
weft_add_compatible_modules(${PROJECT_SOURCE_DIR}/fortran/compat)
