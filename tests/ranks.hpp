// What a test under MPI may ask of the test program: who it is, and a word to the watchdog.
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

/// True where MPI_THREAD_MULTIPLE was granted.
bool threads_may_use_mpi();

/// Whether all ranks share memory, as far as plans are concerned.
bool on_one_node();

/// The exchange methods that can be had on these ranks. On several nodes there is no memory to
/// share, and some MPIs have no windows there (Open MPI 4 over TCP with MPI_THREAD_MULTIPLE).
std::vector<std::string> exchanges_here();
bool is_here(const std::string& exchange);

/// Tells the watchdog what runs now and starts its clock again. If nothing is heard for
/// WEFT_TEST_TIMEOUT seconds (120), it says what hangs and aborts the job.
void running(const std::string& what);

}  // namespace weft::test
