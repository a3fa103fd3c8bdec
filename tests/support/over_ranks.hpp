// Numbers of all ranks of MPI_COMM_WORLD, and differences between arrays. All calls are collective.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <weft/array.hpp>

namespace weft::test {

inline double over_ranks(double value, MPI_Op operation) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
  return value;
}
inline double sum_over_ranks(double value) { return over_ranks(value, MPI_SUM); }
inline double largest_over_ranks(double value) { return over_ranks(value, MPI_MAX); }

template <class T>
double largest_difference(const Array<T>& a, const Array<T>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.span().size(); ++i)
    worst = std::max(worst, static_cast<double>(std::abs(a.span()[i] - b.span()[i])));
  return largest_over_ranks(worst);
}

}  // namespace weft::test
