# weft_identify_mpi(RESULT) sets RESULT to the MPI that MPI::MPI_CXX stands for, as "Open MPI 4" or "MPICH 4":
# the family, since members of one share types and constants, and the major version, since new ones may not.
# MPICH's family has Intel MPI, MVAPICH and Cray MPICH, which define MPICH_VERSION too. "" if it cannot tell.
#
# It compiles and reads what the compiler wrote: a search through mpi.h would have to follow includes.

function(weft_identify_mpi result)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/weft_mpi)
  file(WRITE ${folder}/identify.cpp [[
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#define WEFT_TEXT(number) #number
#define WEFT_TEXT_OF(number) WEFT_TEXT(number)
#if defined(OPEN_MPI)
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
  try_compile(WEFT_MPI_COMPILED ${folder}/build ${folder}/identify.cpp
    LINK_LIBRARIES MPI::MPI_CXX COPY_FILE ${folder}/identify.a)
  set(${result} "" PARENT_SCOPE)
  if(WEFT_MPI_COMPILED)
    file(STRINGS ${folder}/identify.a line REGEX "weft_mpi=" LIMIT_COUNT 1)
    if(line MATCHES "weft_mpi=([A-Za-z ]+ [0-9]+)")
      set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
    endif()
  endif()
  unset(WEFT_MPI_COMPILED CACHE) # where try_compile leaves it
endfunction()
