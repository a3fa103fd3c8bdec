# Tests on pretended machines: every size of the second-level cache is combined with every size of
# the third; numbers of cores, networks and nodes rotate. Each machine runs one part of the unit tests and
# one of the tests on 2 or 3 ranks; the parts rotate too, and with the commit.
set(mpi_parts 22)
set(unit_parts 6)
if(NOT commit)
  set(commit 0)
endif()
set(all_cores 1 2 64)
# Figures of each network, from which the model decides; without any, they are measured.
set(slow_network "memory=1e10 fft=4e9 alltoallv.alpha=1e-3 alltoallv.beta=1e6 p2p.alpha=5e-3 p2p.beta=1e6 pairwise.alpha=1e-2 pairwise.beta=1e6 shared.node.beta=1e10")
set(fast_network "memory=1e9 fft=1e9 alltoallv.alpha=1e-6 alltoallv.beta=1e12 p2p.alpha=1e-6 p2p.beta=1e13 pairwise.alpha=1e-7 pairwise.beta=1e11 shared.node.beta=1e12")
set(networks slow fast measured)

function(weft_add_machine_test name processes environment)
  add_test(NAME machine.${name} COMMAND ${ARGN})
  set_tests_properties(machine.${name} PROPERTIES
    LABELS machines
    PROCESSORS ${processes}
    TIMEOUT ${timeout}
    ENVIRONMENT "WEFT_TEST_TIMEOUT=${patience};OMP_WAIT_POLICY=passive;WEFT_WISDOM=none;${environment}")
endfunction()

set(number 0)
foreach(level2 256kB 512kB 1MB 2MB 4MB)
  foreach(level3 none 2MB 260MB)
    # In turn with the rows, so that each size of the third level meets each of the others.
    math(EXPR cores_turn "(${number} + ${number} / 3) % 3")
    math(EXPR network_turn "(${number} + ${number} / 6) % 3")
    math(EXPR ranks_per_node "${number} % 2") # 0: as they are; 1: each rank on a node of its own
    math(EXPR part "(${number} + ${commit}) % ${mpi_parts}")
    list(GET all_cores ${cores_turn} cores)
    list(GET networks ${network_turn} network)
    set(third "l3:1(size=${level3}) ")
    if(level3 STREQUAL none)
      set(third "")
    endif()
    set(environment
      "WEFT_TOPOLOGY=pack:1 ${third}l2:${cores}(size=${level2}) l1d:1(size=32kB) core:1 pu:1"
      "WEFT_FIGURES=${${network}_network}"
      "WEFT_RANKS_PER_NODE=${ranks_per_node}"
      "GTEST_TOTAL_SHARDS=${mpi_parts}" "GTEST_SHARD_INDEX=${part}")
    set(name l2_${level2}.l3_${level3}.${cores}_cores.${network}_network)
    math(EXPR ranks "2 + ${number} / 2 % 2")
    weft_add_machine_test(${name}.mpi.${ranks} ${ranks} "${environment}"
      ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${WEFT_MPIEXEC_FLAGS}
      $<TARGET_FILE:weft_mpi_tests> --gtest_brief=1 ${filter})
    list(REMOVE_ITEM environment "GTEST_TOTAL_SHARDS=${mpi_parts}" "GTEST_SHARD_INDEX=${part}")
    math(EXPR unit_part "(${number} + 2 * (${number} / 3) + ${commit}) % ${unit_parts}") # in turn with the cores, too
    list(APPEND environment "GTEST_TOTAL_SHARDS=${unit_parts}" "GTEST_SHARD_INDEX=${unit_part}")
    # Line kernels know of no machine but its instruction set.
    weft_add_machine_test(${name}.unit 1 "${environment}"
      $<TARGET_FILE:weft_unit_tests> --gtest_brief=1 --gtest_filter=-*LineKernels*:*LineLengths*)
    math(EXPR number "${number} + 1")
  endforeach()
endforeach()
