// Repeated timings. Each is the time of the slowest rank, so that all ranks see the same value and
// decide alike.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

namespace weft {

using Work = std::function<void()>;

/// Seconds, in the order in which they were taken.
struct Samples {
  std::vector<double> seconds = {};
  double median() const;
  double minimum() const;
  /// Takes one more sample; see seconds_per_step. Collective.
  void take(MPI_Comm communicator, int times, const Work& work);
};

/// Seconds of one execution of the work, which runs `times` times after a barrier. Collective.
double seconds_per_step(MPI_Comm communicator, int times, const Work& work);

}  // namespace weft
