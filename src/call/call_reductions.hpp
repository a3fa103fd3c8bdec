// Compares calls between nodes by one small non-blocking reduction per call. The reduction starts
// with the call and is tested later, so that no rank waits for it. A difference is noticed when the
// next call ends at the latest.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "mpi/communicator.hpp"

namespace weft {

class CallReductions {
 public:
  explicit CallReductions(const Communicator& communicator) : communicator_(communicator) {}
  ~CallReductions();
  CallReductions(const CallReductions&) = delete;
  CallReductions& operator=(const CallReductions&) = delete;

  /// Collective, without waiting: `word` should be the same on all ranks.
  void start(std::uint64_t word);
  /// False if a reduction that has ended has found different words.
  bool all_equal();
  /// Waits a moment for reductions that other ranks have not joined, then abandons them. Must be
  /// called before MPI_Finalize; a destructor that runs before does the same.
  void finish() noexcept;

 private:
  struct Reduction {
    std::array<std::uint64_t, 2> least;  // of the word and of its complement
    MPI_Request request = MPI_REQUEST_NULL;
  };

  Communicator communicator_;
  std::deque<std::unique_ptr<Reduction>> pending_;  // MPI keeps the addresses
};

}  // namespace weft
