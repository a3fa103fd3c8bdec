# weft_identify_mpi(RESULT LANGUAGE) sets RESULT to the MPI behind MPI::MPI_LANGUAGE (CXX or C), such as "Open MPI 4" or
# "MPICH 4": the family, whose members share types and constants, and the major version, which may change them.
# MPICH's family includes Intel MPI, MVAPICH and Cray MPICH, which also define MPICH_VERSION. "MPI ABI 1" is the standard
# one of MPI 5, which mpicxx_abi compiles for. "" if unknown.
#
# It compiles a file and reads the compiler's output, because searching mpi.h would require following includes.

function(weft_identify_mpi result language)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/weft_mpi)
  set(source ${folder}/identify.cpp)
  if(language STREQUAL "C")
    set(source ${folder}/identify.c)
  endif()
  file(WRITE ${source} [[
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#define WEFT_TEXT(number) #number
#define WEFT_TEXT_OF(number) WEFT_TEXT(number)
#if defined(MPI_ABI) && defined(MPI_ABI_VERSION)
#define WEFT_MPI "MPI ABI " WEFT_TEXT_OF(MPI_ABI_VERSION)
#elif defined(OPEN_MPI)
#define WEFT_MPI "Open MPI " WEFT_TEXT_OF(OMPI_MAJOR_VERSION)
#elif defined(MPICH_VERSION)
#define WEFT_MPI "MPICH " MPICH_VERSION
#else
#define WEFT_MPI "unknown"
#endif
extern const char weft_mpi[] = "weft_mpi=" WEFT_MPI ";";
int main() { return weft_mpi[0] == 0; }
]])
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # which links nothing
  try_compile(WEFT_MPI_COMPILED ${folder}/build ${source}
    LINK_LIBRARIES MPI::MPI_${language} COPY_FILE ${folder}/identify.a)
  set(${result} "" PARENT_SCOPE)
  if(WEFT_MPI_COMPILED)
    file(STRINGS ${folder}/identify.a line REGEX "weft_mpi=" LIMIT_COUNT 1)
    if(line MATCHES "weft_mpi=([A-Za-z ]+ [0-9]+)")
      set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
    endif()
  endif()
  unset(WEFT_MPI_COMPILED CACHE) # try_compile sets it there
endfunction()

# weft_mpi_wrapper(RESULT NAME) sets RESULT to the wrapper of that name beside MPI's wrapper for C++, or to that one
# where it has another name than wrappers have.
function(weft_mpi_wrapper result name)
  string(REGEX REPLACE "mpi(cxx|c\\+\\+|CC|icpc)([^/]*)$" "${name}\\2" wrapper "${MPI_CXX_COMPILER}")
  set(${result} ${wrapper} PARENT_SCOPE)
endfunction()
