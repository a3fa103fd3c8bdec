# find_package(decomp2d) in programs that are configured with -Ddecomp2d_DIR=<this folder>: target decomp2d is 2DECOMP&FFT's
# modules on Weft, in double precision.
include(CMakeFindDependencyMacro)
get_property(_decomp2d_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "C" IN_LIST _decomp2d_languages AND NOT "CXX" IN_LIST _decomp2d_languages)
  enable_language(C) # by which find_package(weft) sees the MPI
endif()
if(NOT weft_DIR)
  set(weft_DIR ${CMAKE_CURRENT_LIST_DIR})
endif()
find_dependency(weft COMPONENTS decomp_2d)
if(NOT TARGET decomp2d)
  add_library(decomp2d INTERFACE IMPORTED)
  target_link_libraries(decomp2d INTERFACE weft::decomp_2d)
endif()
