// How fast memory is: all ranks copy at the same time, as fast as possible. It takes turns with
// what is measured beside it, because the bandwidth that is left depends on what else runs.
#pragma once

#include <mpi.h>

#include <vector>

#include "machine/aligned_buffer.hpp"

namespace weft::bench {

/// Copies with stores that bypass the caches, more than any cache holds.
class Copying {
 public:
  /// Collective; `threads` of each rank copy.
  Copying(MPI_Comm communicator, int threads);
  void run();
  /// Bytes read and written by one run, all ranks together.
  double bytes() const { return bytes_; }

 private:
  struct Pair {
    AlignedBuffer from, to;
  };
  template <class Work>
  void in_threads(Work&& work);

  std::vector<Pair> pairs_;
  double bytes_;
};

}  // namespace weft::bench
