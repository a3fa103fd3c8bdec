// Services of the test program for MPI tests: their rank, and a call to reset the watchdog.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace weft::test {

int rank_of(MPI_Comm communicator);
int ranks_of(MPI_Comm communicator);

/// This rank in MPI_COMM_WORLD, and their number. Valid before the tests are listed.
int world_rank();
int world_ranks();
inline bool is_last_rank() { return world_rank() == world_ranks() - 1; }

/// True if MPI_THREAD_MULTIPLE was granted.
bool threads_may_use_mpi();

/// Whether all ranks share memory, as far as plans are concerned.
bool on_one_node();

/// Whether they run on one machine, which is a single node unless more are pretended.
bool on_one_machine();

/// The exchange methods that work on these ranks. Several nodes have no common memory, and some
/// MPIs have no windows between nodes (Open MPI 4 over TCP with MPI_THREAD_MULTIPLE).
std::vector<std::string> exchanges_here();
bool is_here(const std::string& exchange);

/// A seed for random cases, other in each run, the same on all ranks, and small enough to be typed.
long new_seed();

/// Tells the watchdog the name of the running test and restarts its clock. After WEFT_TEST_TIMEOUT
/// seconds (120) without a call, it reports what hangs and aborts the job.
void running(const std::string& what);

}  // namespace weft::test
