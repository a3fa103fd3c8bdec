// Actions that the ranks of a communicator do together outside of plans. All are collective, except
// the queries of rank and size.
#pragma once

#include <mpi.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "mpi/communicator.hpp"

namespace weft::command {

int rank_in(MPI_Comm communicator);
int ranks_in(MPI_Comm communicator);

double reduced(double value, MPI_Op operation, MPI_Comm communicator);
template <class Number>
double sum(Number value, MPI_Comm communicator) {
  return reduced(static_cast<double>(value), MPI_SUM, communicator);
}

/// Throws an `Error` with the message of the lowest rank whose `error` is not empty, on every rank;
/// returns on every rank if there is none.
void agree_on_text(MPI_Comm communicator, const std::string& error);

/// Powers of two below the number of ranks, and that number.
std::vector<int> rank_counts(int ranks);

/// Waits without keeping a core busy; false if the wait is not over within the given time.
bool sleep_until_done(MPI_Request& request, std::chrono::seconds patience);

/// A barrier that keeps no core busy.
void sleep_until_all_arrive(MPI_Comm communicator);

/// Calls body(part) on the first `count` ranks; the others do not keep a core busy meanwhile. An
/// exception on one rank is thrown on all.
void on_first_ranks(MPI_Comm communicator, int count, const std::function<void(MPI_Comm)>& body);

}  // namespace weft::command
