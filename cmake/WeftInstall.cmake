# Installs the library, its headers, and two ways to find it: the CMake package
# (find_package(weft) gives weft::weft) and weft.pc for pkg-config.
include(CMakePackageConfigHelpers)
include(WeftMpi)

weft_identify_mpi(WEFT_MPI CXX)
get_target_property(weft_type weft TYPE)
# pkg-config derives the prefix from the location of weft.pc, so that an installed tree can be moved.
file(RELATIVE_PATH pc_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# Programs find the libraries outside the system's folders, too. Debian's rules want no such path where they are inside.
set(pc_run_path " -Wl,-rpath,\${libdir}")
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(pc_run_path "")
endif()
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS weft EXPORT weftTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET weft_fortran)
  # The source as well: .mod files fit one compiler.
  set(fortran_directory ${CMAKE_INSTALL_INCLUDEDIR}/weft/fortran)
  install(FILES ${WEFT_FORTRAN_MODULES}/weft.mod ${PROJECT_SOURCE_DIR}/fortran/weft.f90
    DESTINATION ${fortran_directory})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/fortran/compat DESTINATION ${fortran_directory})
  install(TARGETS weft_fortran EXPORT weftTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/weft-fortran.pc.in
    ${PROJECT_BINARY_DIR}/package/weft-fortran.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/weft-fortran.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${package_directory})
file(RELATIVE_PATH weft_to_prefix ${CMAKE_INSTALL_PREFIX}/${package_directory} ${CMAKE_INSTALL_PREFIX})
string(REGEX MATCH "^[0-9]+" weft_fortran_major "${CMAKE_Fortran_COMPILER_VERSION}")
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weftConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/weftConfig.cmake INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/weftConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/weftConfig.cmake ${PROJECT_BINARY_DIR}/package/weftConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/WeftMpi.cmake ${PROJECT_SOURCE_DIR}/cmake/WeftCompatible.cmake
  ${PROJECT_SOURCE_DIR}/cmake/decomp2d-config.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindHwloc.cmake
  DESTINATION ${package_directory})

set(pc_private "$<TARGET_LINKER_FILE:fmt::fmt> $<TARGET_LINKER_FILE:hwy::hwy> $<TARGET_LINKER_FILE:Hwloc::hwloc> \
${OpenMP_CXX_FLAGS} -pthread -ldl -lstdc++ -lm")
if(weft_type STREQUAL "STATIC_LIBRARY")
  set(pc_libraries "-lweft ${pc_private}")
  set(pc_flags " -DWEFT_STATIC")
  set(pc_private "")
else()
  set(pc_libraries "-lweft")
  set(pc_flags "")
endif()
weft_mpi_wrapper(weft_mpicc mpicc)
configure_file(${PROJECT_SOURCE_DIR}/cmake/weft.pc.in ${PROJECT_BINARY_DIR}/package/weft.pc.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/package/weft.pc
  INPUT ${PROJECT_BINARY_DIR}/package/weft.pc.in)
install(FILES ${PROJECT_BINARY_DIR}/package/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(WEFT_BUILD_FFTW3_MPI)
  install(TARGETS fftw3_mpi fftw3f_mpi fftw2_mpi fftw2f_mpi EXPORT weftTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  foreach(pc_fftw IN ITEMS fftw3 fftw3f fftw2 fftw2f)
    set(pc_name weft-${pc_fftw}-mpi)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/weft-fftw3-mpi.pc.in ${PROJECT_BINARY_DIR}/package/${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/package/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endforeach()
endif()
