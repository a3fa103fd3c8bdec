# MPI::MPI_CXX for simulated ranks: SMPI, which is a part of SimGrid. Not by its wrapper smpicxx, which replaces malloc,
# exit and the clock in everything that it compiles.
find_path(WEFT_SIMGRID_INCLUDE_DIR smpi/mpi.h)
find_library(WEFT_SIMGRID_LIBRARY simgrid)
if(NOT WEFT_SIMGRID_INCLUDE_DIR OR NOT WEFT_SIMGRID_LIBRARY)
  message(FATAL_ERROR "WEFT_SIMULATED is ON, but SimGrid was not found (Debian's package libsimgrid-dev)")
endif()
add_library(MPI::MPI_CXX INTERFACE IMPORTED GLOBAL)
target_include_directories(MPI::MPI_CXX INTERFACE ${WEFT_SIMGRID_INCLUDE_DIR}/smpi ${WEFT_SIMGRID_INCLUDE_DIR})
target_link_libraries(MPI::MPI_CXX INTERFACE ${WEFT_SIMGRID_LIBRARY})
