// How fast memory is, the host's or a device's: all ranks copy at the same time, as fast as
// possible. It takes turns with the other measurements, because the available bandwidth depends on
// other work on the machine.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

namespace weft::bench {

class Copying {
 public:
  virtual ~Copying() = default;
  virtual void run() = 0;
  /// Bytes read and written by one run, all ranks together.
  virtual double bytes() const = 0;
};

/// Copies within the memory of the plan's device, more than any cache holds; on the host `threads`
/// of each rank copy, with stores that bypass the caches. Collective.
std::unique_ptr<Copying> make_copying(MPI_Comm communicator, const std::string& device,
                                      int threads);

}  // namespace weft::bench
