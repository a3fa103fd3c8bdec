// All ranks see the same seconds, the largest, and so decide alike.
#include "net/sampling.hpp"

#include <algorithm>

#include "bench/measure.hpp"

namespace weft::net {
namespace {

// Seconds: far beyond what a clock gets wrong and what a limited link lets pass in a burst, and
// still short enough to take many turns.
constexpr double long_enough = 5e-3;
constexpr int most_steps = 1000;

}  // namespace

double seconds_per_step(MPI_Comm communicator, int steps, const Step& step) {
  MPI_Barrier(communicator);
  const double start = MPI_Wtime();
  for (int number = 0; number < steps; ++number) step();
  return bench::largest((MPI_Wtime() - start) / steps, communicator);
}

int steps_for(MPI_Comm communicator, const Step& step) {
  step();
  int steps = 1;
  while (steps < most_steps) {
    const double seconds = steps * seconds_per_step(communicator, steps, step);
    if (seconds >= long_enough) break;
    steps = std::min(most_steps, seconds < long_enough / 8 ? 8 * steps : 2 * steps);
  }
  return steps;
}

}  // namespace weft::net
