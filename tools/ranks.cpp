// A rank that waits for others sleeps, because they may share its core.
#include "ranks.hpp"

#include <algorithm>
#include <thread>
#include <weft/error.hpp>

namespace weft::command {

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int ranks_in(MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  return ranks;
}

double reduced(double value, MPI_Op operation, MPI_Comm communicator) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, communicator);
  return value;
}

void agree_on_text(MPI_Comm communicator, const std::string& error) {
  agree(communicator, [&] {
    if (!error.empty()) throw Error(error);
  });
}

std::vector<int> rank_counts(int ranks) {
  std::vector<int> counts;
  for (int count = 2; count < ranks; count *= 2) counts.push_back(count);
  counts.push_back(ranks);
  return counts;
}

bool sleep_until_done(MPI_Request& request, std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  int done = 0;
  for (;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done || std::chrono::steady_clock::now() > deadline) return done != 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void sleep_until_all_arrive(MPI_Comm communicator) {
  MPI_Request all_arrived = MPI_REQUEST_NULL;
  MPI_Ibarrier(communicator, &all_arrived);
  sleep_until_done(all_arrived, std::chrono::years(1));
}

void on_first_ranks(MPI_Comm communicator, int count, const std::function<void(MPI_Comm)>& body) {
  if (count == ranks_in(communicator)) return body(communicator);
  const int rank = rank_in(communicator);
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
  agree(communicator, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace weft::command
