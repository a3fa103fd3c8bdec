# weft::p3dfft, weft::p3dfft_stride1, weft::decomp_2d and weft::decomp_2d_single: modules of other libraries on module
# weft, which programs use in their place. The program's own compiler compiles those that it links, because .mod files fit
# one compiler: Weft's build and its installed CMake package both include this file.

# One target; SOURCES lie below `folder`.
function(weft_add_compatible folder name)
  cmake_parse_arguments(given "" "" "SOURCES;DEFINITIONS" ${ARGN})
  list(TRANSFORM given_SOURCES PREPEND ${folder}/)
  add_library(weft_${name} STATIC EXCLUDE_FROM_ALL ${given_SOURCES})
  add_library(weft::${name} ALIAS weft_${name})
  set(modules ${CMAKE_CURRENT_BINARY_DIR}/weft_modules/${name})
  target_compile_definitions(weft_${name} PUBLIC ${given_DEFINITIONS})
  target_compile_options(weft_${name} PRIVATE $<$<Fortran_COMPILER_ID:GNU>:-ffree-line-length-none>)
  target_include_directories(weft_${name} PUBLIC ${modules})
  target_link_libraries(weft_${name} PUBLIC weft::fortran MPI::MPI_Fortran)
  set_target_properties(weft_${name} PROPERTIES Fortran_MODULE_DIRECTORY ${modules} POSITION_INDEPENDENT_CODE ON)
endfunction()

# All of them, from the sources below `folder`, where there is MPI for Fortran.
function(weft_add_compatible_modules folder)
  find_package(MPI QUIET COMPONENTS Fortran)
  if(NOT MPI_Fortran_FOUND OR TARGET weft_decomp_2d)
    return()
  endif()
  weft_add_compatible(${folder} p3dfft SOURCES p3dfft.F90)
  weft_add_compatible(${folder} p3dfft_stride1 SOURCES p3dfft.F90 DEFINITIONS STRIDE1)
  set(sources decomp_2d_base decomp_2d decomp_2d_fft decomp_2d_io_base decomp_2d_io_named decomp_2d_io)
  list(TRANSFORM sources REPLACE ".+" "decomp_2d/\\0.F90")
  weft_add_compatible(${folder} decomp_2d SOURCES ${sources} DEFINITIONS DOUBLE_PREC)
  weft_add_compatible(${folder} decomp_2d_single SOURCES ${sources})
endfunction()
