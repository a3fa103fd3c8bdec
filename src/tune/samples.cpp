// Medians and minima, because other programs and the system make some samples longer, none shorter.
#include "tune/samples.hpp"

#include <algorithm>

#include "machine/clock.hpp"
#include "mpi/communicator.hpp"

namespace weft {

double Samples::median() const {
  std::vector<double> sorted = seconds;
  std::ranges::sort(sorted);
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double Samples::minimum() const { return std::ranges::min(seconds); }

void Samples::take(MPI_Comm communicator, int times, const Work& work) {
  seconds.push_back(seconds_per_step(communicator, times, work));
}

double seconds_per_step(MPI_Comm communicator, int times, const Work& work) {
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  const auto begin = Clock::now();
  for (int number = 0; number < times; ++number) work();
  return largest(communicator, seconds_between(begin, Clock::now()) / times);
}

}  // namespace weft
