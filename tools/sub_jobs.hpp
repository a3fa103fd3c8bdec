// Running on the first few ranks of a job, while the others sleep.
#pragma once

#include <mpi.h>

#include <chrono>
#include <exception>
#include <thread>
#include <vector>

#include "parallel_file.hpp"

namespace weft::command {

/// Powers of two below the number of ranks, and that number.
inline std::vector<int> rank_counts(int ranks) {
  std::vector<int> counts;
  for (int count = 2; count < ranks; count *= 2) counts.push_back(count);
  counts.push_back(ranks);
  return counts;
}

/// Collective: a barrier that keeps no core busy.
inline void sleep_until_all_arrive(MPI_Comm communicator) {
  MPI_Request all_arrived = MPI_REQUEST_NULL;
  MPI_Ibarrier(communicator, &all_arrived);
  for (int done = 0; !done; MPI_Test(&all_arrived, &done, MPI_STATUS_IGNORE))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Collective. Calls body(part) on the first `count` ranks; the others do not keep a core busy
/// meanwhile. What it throws on one rank is thrown on all.
template <class Body>
void on_first_ranks(MPI_Comm communicator, int count, Body&& body) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  if (count == ranks) {
    body(communicator);
    return;
  }
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(communicator, rank < count ? 0 : MPI_UNDEFINED, rank, &part);
  std::exception_ptr failure;
  if (part != MPI_COMM_NULL) {
    try {
      body(part);
    } catch (...) {
      failure = std::current_exception();
    }
    MPI_Comm_free(&part);
  }
  sleep_until_all_arrive(communicator);
  agree_on(communicator, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace weft::command
