# The tests of the library on several ranks: programs of C++ and C that take any number of them, and the numbers and parts
# that they run with.

add_executable(weft_mpi_tests
  job/errors_test.cpp job/extreme_requests_test.cpp job/failed_plans_test.cpp job/failing_mpi_test.cpp
  job/first_calls_test.cpp job/running_errors_test.cpp
  transform/properties_test.cpp
  transform/array_gaps_test.cpp transform/fields_test.cpp job/lifetimes_test.cpp job/mixups_test.cpp
  transform/operators_test.cpp job/shared_memory_test.cpp transform/solver_functions_test.cpp
  transform/random_test.cpp transform/special_numbers_test.cpp
  transform/transform_test.cpp transform/apply_test.cpp
  device/device_errors_test.cpp device/device_test.cpp device/device_alone_test.cpp device/device_apply_test.cpp
  device/plugin_test.cpp
  transform/wire_test.cpp transform/pipeline_test.cpp job/threads_test.cpp job/tuning_test.cpp
  transform/in_place_test.cpp job/place_test.cpp transform/idle_ranks_test.cpp transform/plain_elements_test.cpp
  halo/halo_test.cpp support/allocations.cpp
)
target_link_libraries(weft_mpi_tests PRIVATE weft_mpi_test_main weft_test_support)
weft_precompile_test_headers(weft_mpi_tests)

# Certified results: an executable of its own, because it replaces functions of MPI, and FFTW's library.
add_library(weft_miniature_fftw SHARED verify/miniature_fftw.cpp)
target_compile_features(weft_miniature_fftw PRIVATE cxx_std_20)
set_target_properties(weft_miniature_fftw PROPERTIES
  OUTPUT_NAME fftw3 SOVERSION 3 LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/miniature_fftw)
add_executable(weft_verify_tests verify/corruption.cpp
  verify/verify_test.cpp verify/verify_routes_test.cpp verify/verify_windows_test.cpp verify/verify_values_test.cpp
  verify/wrong_engine_test.cpp verify/self_test_test.cpp)
# Weft looks some functions up at run time: these are replaced as well.
set_target_properties(weft_verify_tests PROPERTIES ENABLE_EXPORTS ON)
target_link_libraries(weft_verify_tests PRIVATE weft_miniature_fftw weft_mpi_test_main weft_internal)
weft_precompile_test_headers(weft_verify_tests)

# The C interface: beside the C++ one, and from a program in strict C99 that uses all of it.
add_executable(weft_c_tests verify/corruption.cpp
  c/c_test.cpp c/c_functions_test.cpp c/c_devices_test.cpp c/c_errors_test.cpp c/c_mistakes_test.cpp c/c_reports_test.cpp)
target_compile_definitions(weft_c_tests PRIVATE WEFT_HEADER="${PROJECT_SOURCE_DIR}/include/weft/weft.h")
target_link_libraries(weft_c_tests PRIVATE weft_mpi_test_main weft_test_support)
weft_precompile_test_headers(weft_c_tests)
if(tests_results)
  foreach(ranks RANGE 1 4)
    weft_add_mpi_test(c.${ranks} ${ranks} weft_c_tests)
  endforeach()
else()
  set_target_properties(weft_c_tests weft_verify_tests PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
if(CMAKE_C_COMPILER AND tests_results)
  add_executable(weft_c_program c/c_program.c)
  target_compile_options(weft_c_program PRIVATE -std=c99 -pedantic -Wall -Wextra)
  target_link_libraries(weft_c_program PRIVATE weft::weft m)
  foreach(ranks RANGE 1 4)
    weft_add_mpi_test(c_program.${ranks} ${ranks} weft_c_program)
  endforeach()
endif()

if(tests_results)
  set(verify_ranks 2 3)
  if(WEFT_SANITIZE)
    set(verify_ranks 3)
  endif()
  foreach(ranks IN LISTS verify_ranks)
    weft_add_mpi_test(verify.${ranks} ${ranks} weft_verify_tests)
  endforeach()
  # Grids of 2x2 ranks.
  weft_add_mpi_test(verify.4 4 weft_verify_tests ARGUMENTS --gtest_filter=Routes/*)

  # Every shape, method and form of spectrum of the shared list is certified as well. Left out is who counts the memory
  # that planning takes: testing a new plan takes arrays.
  weft_add_mpi_test(verified 3 weft_mpi_tests SAMPLE PARTS ${verified_parts} PART 0 ENVIRONMENT WEFT_VERIFY=1
    ARGUMENTS --gtest_filter=TransformTest.*:*TransformTest*:*WireTest*:*ApplyTest*:*FieldsTest*:*InPlaceTest*:-*TakesNoSecondArray:*PlanningTakesNoMemory*:*TwoLevelTakesItsSegmentsAlone:*DeviceApplyTest*:*emulated*)
endif()

set(filter)
if(WEFT_SANITIZE STREQUAL thread)
  set(filter --gtest_filter=*__thread)
endif()
foreach(entry IN LISTS WEFT_TEST_RANKS)
  string(REGEX MATCH "^([0-9]+)(/([0-9]+))?$" matched "${entry}")
  if(NOT matched)
    message(FATAL_ERROR "WEFT_TEST_RANKS has '${entry}', which is neither RANKS nor RANKS/PARTS")
  endif()
  set(ranks ${CMAKE_MATCH_1})
  set(part)
  if(CMAKE_MATCH_3)
    math(EXPR part "${ranks} % ${CMAKE_MATCH_3}")
    set(part PARTS ${CMAKE_MATCH_3} PART ${part})
  endif()
  if(ranks GREATER 4)
    list(APPEND part SAMPLE)
  endif()
  weft_add_mpi_test(${ranks} ${ranks} weft_mpi_tests ${part} ARGUMENTS ${filter})
endforeach()

# On as many ranks as leave something to gain by another order of them.
if(NOT WEFT_SANITIZE STREQUAL thread)
  weft_add_mpi_test(place.6 6 weft_mpi_tests ENVIRONMENT WEFT_TEST_CASES=none ARGUMENTS --gtest_filter=PlaceTest.*)
endif()

# A sample of the MPI tests, for `./run test quick`.
weft_add_mpi_test(quick 3 weft_mpi_tests LABEL quick PARTS 3 PART 0 ARGUMENTS ${filter})

# Smaller ones for `./run check`.
add_dependencies(weft_check_programs weft_mpi_tests)
foreach(ranks IN ITEMS 2 3)
  weft_add_mpi_test(check.${ranks} ${ranks} weft_mpi_tests LABEL check SAMPLE PARTS 12 PART ${ranks} ARGUMENTS ${filter})
endforeach()

# The shared list of cases on emulated devices.
if(tests_results)
  set(device_arguments --gtest_also_run_disabled_tests --gtest_filter=*DISABLED_DeviceCaseTest*)
  if(NOT WEFT_SANITIZE)
    weft_add_mpi_test(devices.3 3 weft_mpi_tests ARGUMENTS ${device_arguments})
  endif()
  foreach(ranks IN ITEMS 2 4)
    math(EXPR part "${ranks} / 2 % ${device_parts}")
    weft_add_mpi_test(devices.${ranks} ${ranks} weft_mpi_tests PARTS ${device_parts} PART ${part} ARGUMENTS ${device_arguments})
  endforeach()
endif()

# Whether MPI is given addresses of devices: an executable of its own, because it replaces functions of MPI.
if(NOT WEFT_SANITIZE STREQUAL thread)
  add_executable(weft_device_path_tests device/aware_mpi.cpp device/device_path_test.cpp)
  # Weft looks some functions up at run time: these are replaced as well.
  set_target_properties(weft_device_path_tests PROPERTIES ENABLE_EXPORTS ON)
  target_link_libraries(weft_device_path_tests PRIVATE weft_mpi_test_main weft_test_support)
  foreach(ranks IN ITEMS 2 3 4)
    weft_add_mpi_test(device_path.${ranks} ${ranks} weft_device_path_tests)
  endforeach()
  if(Python3_FOUND AND NOT WEFT_SANITIZE) # sanitizers report the crash in their own ways
    add_test(NAME mpi.device_path.crash
      COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/device/device_path_crash_test.py
              ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 ${WEFT_MPIEXEC_FLAGS}
              $<TARGET_FILE:weft_device_path_tests> --gtest_brief=1 --gtest_also_run_disabled_tests
              --gtest_filter=DISABLED_CrashingMpiTest.*)
    set_tests_properties(mpi.device_path.crash PROPERTIES
      LABELS mpi PROCESSORS 2 TIMEOUT ${timeout} ENVIRONMENT WEFT_TEST_TIMEOUT=${patience})
  endif()
endif()

# Plugins: one that pretends to drive two devices, and what is said where one or its driver is missing.
add_library(weft_pretended_plugin MODULE device/pretended_plugin.cpp)
target_link_libraries(weft_pretended_plugin PRIVATE weft_internal)
set_target_properties(weft_pretended_plugin PROPERTIES
  OUTPUT_NAME weft_cuda LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/pretended_plugin)
add_dependencies(weft_mpi_tests weft_pretended_plugin)
function(weft_add_plugin_test name ranks folder filter)
  weft_add_mpi_test(devices.${name} ${ranks} weft_mpi_tests ${ARGN}
    ARGUMENTS --gtest_also_run_disabled_tests --gtest_filter=${filter})
  set_property(TEST mpi.devices.${name} APPEND PROPERTY ENVIRONMENT "LD_LIBRARY_PATH=${folder}:$ENV{LD_LIBRARY_PATH}")
endfunction()
if(NOT WEFT_SANITIZE)
  set(pretended_plugin ${CMAKE_CURRENT_BINARY_DIR}/pretended_plugin)
  weft_add_plugin_test(no_plugin 2 ${CMAKE_CURRENT_BINARY_DIR} *PluginTest.WhereThereIsNone)
  weft_add_plugin_test(two_devices 2 ${pretended_plugin} *PluginTest.OfTwoDevices)
  set(four_gpus WEFT_TOPOLOGY=${CMAKE_CURRENT_SOURCE_DIR}/unit/machine/topologies/four_gpus.xml)
  weft_add_plugin_test(nearby 3 ${pretended_plugin} *PluginTest.OfTheGpuNearby ENVIRONMENT ${four_gpus})
  weft_add_plugin_test(in_turn 3 ${pretended_plugin} *PluginTest.OfRanksThatTakeTurns)
  weft_add_plugin_test(plugin 3 ${pretended_plugin} *DeviceTest.*:*DeviceApplyTest.*:*DISABLED_DeviceCaseTest*
    PARTS 7 PART 3 ENVIRONMENT WEFT_TEST_DEVICE=cuda:auto ${four_gpus})
  if(TARGET weft_cuda)
    weft_add_plugin_test(no_driver 2 $<TARGET_FILE_DIR:weft_cuda> *PluginTest.WithoutADriver LABEL cuda)
  endif()
  if(TARGET weft_hip)
    weft_add_plugin_test(no_amd_gpu 2 $<TARGET_FILE_DIR:weft_hip> *PluginTest.WithoutAnAmdGpu LABEL hip)
  endif()
endif()

if(NOT WEFT_SANITIZE)
  weft_add_mpi_test(long_lines 2 weft_mpi_tests ENVIRONMENT WEFT_TEST_CASES=none
    ARGUMENTS --gtest_also_run_disabled_tests --gtest_filter=DISABLED_LongLinesTest.*)
endif()

# A smaller sample with every call checked on all ranks: what is right must stay right, with all methods and engines.
# Left out are mistakes of one rank that only this rank is to learn of, and calls that not all ranks make at once.
set(checked_filter ${filter})
if(NOT checked_filter)
  set(checked_filter --gtest_filter=-*OfOneRankAreRaisedThere*:ForgottenWaitsTest.*)
endif()
weft_add_mpi_test(checked 3 weft_mpi_tests SAMPLE PARTS ${checked_parts} PART 1 ENVIRONMENT WEFT_CHECK=1 ARGUMENTS ${checked_filter})
