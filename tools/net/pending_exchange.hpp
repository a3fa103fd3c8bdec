// A non-blocking all-to-all, by the calls that MPI has for one.
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
  /// A message of so many bytes from each rank to each. Collective only in being used so.
  PendingExchange(MPI_Comm communicator, std::string name, Index bytes);

  void start();
  /// True when it is over. Lets MPI go on with it otherwise.
  bool test();
  void wait();
  /// After the last wait: every message came from where it should.
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
