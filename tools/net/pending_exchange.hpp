// A non-blocking all-to-all, with each kind of MPI calls that can do it.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>
#include <weft/box.hpp>

namespace weft::net {

/// "ialltoall", "ialltoallv" and "p2p" (MPI_Isend and MPI_Irecv with every rank).
const std::vector<std::string>& pending_exchange_names();

class PendingExchange {
 public:
  /// One message of that many bytes from each rank to each. Collective only in its use.
  PendingExchange(MPI_Comm communicator, std::string name, Index bytes);

  void start();
  /// True if it is complete; otherwise lets MPI make progress.
  bool test();
  void wait();
  /// Checks after the last wait that every message came from the right rank.
  bool is_right() const;

 private:
  void start_p2p();

  MPI_Comm communicator_;
  std::string name_;
  int rank_ = 0;
  int ranks_ = 1;
  int bytes_;
  std::vector<unsigned char> sent_, received_;
  std::vector<int> counts_, places_;
  std::vector<MPI_Request> requests_;
};

}  // namespace weft::net
