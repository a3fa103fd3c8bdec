# Jobs in unusual surroundings, and jobs that must end with a message instead of hanging: memory, threads, mistakes at run
# time, ranks that leave or never come. None of them runs the shared list of cases.
set(without "WEFT_WISDOM=none;WEFT_TEST_CASES=none")

# With a /dev/shm that is too small for the windows of some plans, as in containers.
set(shared_memory_sizes 16M)
if(NOT WEFT_SANITIZE) # the larger one takes minutes then, and shows nothing more
  list(APPEND shared_memory_sizes 200M)
endif()
foreach(size IN LISTS shared_memory_sizes)
  add_test(NAME mpi.shared_memory.${size}
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/job/with_shared_memory ${size}
            ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 ${WEFT_MPIEXEC_FLAGS}
            $<TARGET_FILE:weft_mpi_tests> --gtest_brief=1 --gtest_filter=SharedMemoryTest.*)
  set_tests_properties(mpi.shared_memory.${size} PROPERTIES
    LABELS mpi
    PROCESSORS 2
    TIMEOUT ${timeout}
    SKIP_RETURN_CODE 77
    FAIL_REGULAR_EXPRESSION "/dev/shm is large"
    ENVIRONMENT "WEFT_TEST_TIMEOUT=${patience};${without}")
endforeach()

# With huge pages in the system's reserve, which takes a change of the running system.
add_test(NAME mpi.huge_pages
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/job/with_huge_pages 16
          ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 ${WEFT_MPIEXEC_FLAGS}
          $<TARGET_FILE:weft_mpi_tests> --gtest_brief=1 --gtest_filter=HugePagesTest.*)
set_tests_properties(mpi.huge_pages PROPERTIES
  LABELS mpi
  RUN_SERIAL TRUE
  TIMEOUT ${timeout}
  SKIP_RETURN_CODE 77
  FAIL_REGULAR_EXPRESSION "no huge pages in reserve"
  ENVIRONMENT "WEFT_TEST_TIMEOUT=${patience};${without}")

# Without threads in MPI: a plan that needs one must say so.
foreach(level IN ITEMS single funneled)
  add_test(NAME mpi.${level}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 ${WEFT_MPIEXEC_FLAGS}
            $<TARGET_FILE:weft_mpi_tests> --gtest_brief=1 --gtest_filter=ThreadLevelTest.*:*ThreadsThatCallMpi*)
  set_tests_properties(mpi.${level} PROPERTIES
    LABELS mpi
    PROCESSORS 2
    TIMEOUT ${timeout}
    FAIL_REGULAR_EXPRESSION "this job has MPI_THREAD_MULTIPLE"
    ENVIRONMENT "WEFT_TEST_THREADS=${level};OMP_WAIT_POLICY=passive;WEFT_TEST_CASES=none")
endforeach()

# Threads of OpenMP spin by default, where there are more of them than cores to everyone's cost.
foreach(wait IN ITEMS spinning passive)
  add_test(NAME mpi.threads.${wait}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 ${WEFT_MPIEXEC_FLAGS}
            $<TARGET_FILE:weft_mpi_tests> --gtest_also_run_disabled_tests
            --gtest_filter=DISABLED_WarningTest.*)
  set_tests_properties(mpi.threads.${wait} PROPERTIES
    LABELS mpi
    PROCESSORS 2
    TIMEOUT 60
    ENVIRONMENT "${without}")
endforeach()
set(warning "weft: [0-9]+ ranks with [0-9]+ threads each share [0-9]+ cores: [^\n]*OMP_WAIT_POLICY=passive")
set_tests_properties(mpi.threads.spinning PROPERTIES
  ENVIRONMENT_MODIFICATION OMP_WAIT_POLICY=unset:
  PASS_REGULAR_EXPRESSION "${warning}")
set_tests_properties(mpi.threads.passive PROPERTIES
  ENVIRONMENT_MODIFICATION OMP_WAIT_POLICY=set:passive
  FAIL_REGULAR_EXPRESSION "${warning}")

# The tests below wait more than they compute.

# Where a rank has failed, Open MPI's launcher otherwise sleeps for two seconds between its signals to the others.
set(soon OMPI_MCA_odls_base_sigkill_timeout=0)

# Mistakes at run time: the job must end with the expected message instead of hanging.
function(weft_add_abort_test name message)
  add_test(NAME mpi.abort.${name}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 ${WEFT_MPIEXEC_FLAGS}
            $<TARGET_FILE:weft_mpi_tests> --gtest_also_run_disabled_tests
            --gtest_filter=DISABLED_AbortTest.${name})
  set_tests_properties(mpi.abort.${name} PROPERTIES
    LABELS mpi
    PROCESSORS 1
    TIMEOUT 60
    PASS_REGULAR_EXPRESSION "weft: rank [0-9]: [^\n]*${message}"
    FAIL_REGULAR_EXPRESSION "nothing happened for"
    ENVIRONMENT "WEFT_TEST_TIMEOUT=30;${without};${soon}")
endfunction()
weft_add_abort_test(OneRankPassesArraysThatOverlap "overlap")
weft_add_abort_test(OneRankUsesAnotherArray "ranks disagree")
weft_add_abort_test(OneRankPassesMoreFields "fields")
weft_add_abort_test(OneRankPassesNull "null")
weft_add_abort_test(OneRankPassesAnotherType "double")
weft_add_abort_test(AFunctionThrows "no such thing")
weft_add_abort_test(OneRankCannotAllocateAWindow "MPI_Win_allocate_shared failed[^\n]*the job is ended")
weft_add_abort_test(OneRankRunsWhileOneIsInFlight "still in flight")

# Before MPI_Init and after MPI_Finalize; and a rank that ends between them, and with it the job.
add_executable(weft_around_mpi job/around_mpi.cpp)
target_link_libraries(weft_around_mpi PRIVATE weft::weft MPI::MPI_CXX)
foreach(ranks RANGE 1 3)
  weft_add_mpi_test(around_mpi.${ranks} ${ranks} weft_around_mpi)
endforeach()
weft_add_mpi_test(around_mpi.nodes 3 weft_around_mpi ENVIRONMENT WEFT_RANKS_PER_NODE=1)
foreach(end IN ITEMS exit throw)
  set(status [1-9])
  if(end STREQUAL "exit") # with success, which MPICH believes
    set(status [0-9])
  endif()
  add_test(NAME mpi.around_mpi.${end}
    COMMAND sh -c [["$@"; echo "the job has ended with $?"]] sh
            ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 ${WEFT_MPIEXEC_FLAGS}
            $<TARGET_FILE:weft_around_mpi> ${end})
  set_tests_properties(mpi.around_mpi.${end} PROPERTIES
    LABELS mpi
    PROCESSORS 1
    TIMEOUT 60
    PASS_REGULAR_EXPRESSION "the job has ended with ${status}"
    ENVIRONMENT "WEFT_WISDOM=none")
endforeach()

# Ranks that make different calls. Their unfinished messages may stop MPI_Finalize (MPICH over UCX), so the number of tests
# that passed decides, not the exit status.
add_test(NAME mpi.mixups
  COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 ${WEFT_MPIEXEC_FLAGS}
          $<TARGET_FILE:weft_mpi_tests> --gtest_also_run_disabled_tests --gtest_brief=1
          --gtest_filter=*MixupsTest.*)
set_tests_properties(mpi.mixups PROPERTIES
  LABELS mpi
  PROCESSORS 1
  TIMEOUT 300
  PASS_REGULAR_EXPRESSION "PASSED  .*tests"
  FAIL_REGULAR_EXPRESSION "FAILED;==>;nothing happened for"
  ENVIRONMENT "WEFT_TEST_TIMEOUT=${patience};${without}")

# Ranks that wait for others that never come: one says so, and ends the job.
function(weft_add_waiting_test name filter text)
  add_test(NAME mpi.${name}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 3 ${WEFT_MPIEXEC_FLAGS}
            $<TARGET_FILE:weft_mpi_tests> --gtest_also_run_disabled_tests --gtest_filter=${filter})
  set_tests_properties(mpi.${name} PROPERTIES
    LABELS mpi
    PROCESSORS 1
    TIMEOUT 60
    PASS_REGULAR_EXPRESSION
      "weft: after [^\n]* rank [0-9] .host [^\n]*. still waits [^\n]*${text}[^\n]*the job is ended"
    ENVIRONMENT "WEFT_TEST_TIMEOUT=30;${without};${soon}")
endfunction()
# In windows of the node, in messages, and blocked inside a collective of MPI.
foreach(exchange IN ITEMS shared p2p alltoallv)
  weft_add_waiting_test(stall.${exchange} *StallTest.*/${exchange}
    "in call 4 .backward., exchange 0 .${exchange}., [^\n]*with ranks 1, 2")
  # Two plans in another order on one rank.
  weft_add_waiting_test(order_of_plans.${exchange} *OrderOfPlansTest.*/${exchange}
    "in call 1 .forward., exchange 0 .${exchange}., ")
endforeach()
# In steps that take all ranks, outside of transforms.
set(lonely *LonelyTest.*)
weft_add_waiting_test(lonely.plan ${lonely}/plan "for other ranks to make this plan")
weft_add_waiting_test(lonely.own_array ${lonely}/own_array
  "to make the plan's own array; rank 1 is in no call yet")
weft_add_waiting_test(lonely.apply ${lonely}/apply
  "in call 1 .apply. to take the memory that apply needs; rank 1 is in no call yet")
weft_add_waiting_test(lonely.checked_call ${lonely}/checked_call
  "to compare calls, as check_calls=1 asks: forward")
weft_add_waiting_test(lonely.started ${lonely}/started "in call 1 .forward., exchange 0 ")
weft_add_waiting_test(lonely.closing ${lonely}/closing "for other ranks to close this plan")
weft_add_waiting_test(lonely.sum ${lonely}/sum "to add up over the ranks")
