// FFTW-MPI's local sizes. One axis without sign and flags, which decide there, is left to FFTW.
#include <algorithm>

#include "api.hpp"
#include "distribution.hpp"
#include "real_library.hpp"
#include "report.hpp"

namespace weft::fftw {
namespace {

void tell_block(const Slabs& slabs, std::span<const Size> shape, int rank, Size* length,
                Size* start) {
  *length = slabs.lengths(shape, rank)[static_cast<std::size_t>(slabs.axis)];
  *start = slabs.start(shape, rank);
}

}  // namespace

Size WEFT_FFTW(mpi_local_size_many_transposed)(int rank, const Size* n, Size howmany, Size block0,
                                               Size block1, MPI_Comm communicator, Size* local_n0,
                                               Size* local_0_start, Size* local_n1,
                                               Size* local_1_start) {
  if (rank < 2)
    return real_or_end(&WEFT_FFTW(mpi_local_size_many_transposed),
                       "mpi_local_size_many_transposed")(rank, n, howmany, block0, block1,
                                                         communicator, local_n0, local_0_start,
                                                         local_n1, local_1_start);
  return guarded("mpi_local_size", [&] {
    const std::span shape(n, static_cast<std::size_t>(rank));
    check_sizes(shape, howmany, {block0, block1});
    const int ranks = ranks_in(communicator);
    const int own_rank = rank_in(communicator);
    const Slabs input = Slabs::of(shape, 0, block0, ranks);
    const Slabs output = Slabs::of(shape, 1, block1, ranks);
    tell_block(input, shape, own_rank, local_n0, local_0_start);
    tell_block(output, shape, own_rank, local_n1, local_1_start);
    const Size transposed = allocation(shape, howmany, input, output, ranks, own_rank);
    // FFTW 3.3.10 takes a block as long as the axis to mean that the output is not transposed,
    // unlike its plans: https://github.com/FFTW/fftw3/issues/174. The memory suffices for both.
    if (block1 < n[1]) return transposed;
    return std::max(transposed, allocation(shape, howmany, input, input, ranks, own_rank));
  });
}

Size WEFT_FFTW(mpi_local_size_many)(int rank, const Size* n, Size howmany, Size block0,
                                    MPI_Comm communicator, Size* local_n0, Size* local_0_start) {
  if (rank < 2) {
    Size whole = 0;
    Size start = 0;
    return WEFT_FFTW(mpi_local_size_many_transposed)(rank, n, howmany, block0, 0, communicator,
                                                     local_n0, local_0_start, &whole, &start);
  }
  return guarded("mpi_local_size", [&] {
    const std::span shape(n, static_cast<std::size_t>(rank));
    check_sizes(shape, howmany, {block0});
    const int ranks = ranks_in(communicator);
    const int own_rank = rank_in(communicator);
    const Slabs slabs = Slabs::of(shape, 0, block0, ranks);
    tell_block(slabs, shape, own_rank, local_n0, local_0_start);
    return allocation(shape, howmany, slabs, slabs, ranks, own_rank);
  });
}

Size WEFT_FFTW(mpi_local_size_many_1d)(Size n0, Size howmany, MPI_Comm communicator, int sign,
                                       unsigned flags, Size* local_ni, Size* local_i_start,
                                       Size* local_no, Size* local_o_start) {
  return guarded("mpi_local_size_1d", [&] {
    const std::span shape(&n0, 1);
    check_sizes(shape, howmany, {});
    const int own_rank = rank_in(communicator);
    const SingleAxis axis =
        SingleAxis::of(n0, howmany, sign, flags, ranks_in(communicator), own_rank);
    tell_block(axis.input.slabs, shape, own_rank, local_ni, local_i_start);
    tell_block(axis.output.slabs, shape, own_rank, local_no, local_o_start);
    return axis.allocation;
  });
}

// Cases of these.

Size WEFT_FFTW(mpi_local_size_transposed)(int rank, const Size* n, MPI_Comm communicator,
                                          Size* local_n0, Size* local_0_start, Size* local_n1,
                                          Size* local_1_start) {
  return WEFT_FFTW(mpi_local_size_many_transposed)(rank, n, 1, 0, 0, communicator, local_n0,
                                                   local_0_start, local_n1, local_1_start);
}

Size WEFT_FFTW(mpi_local_size)(int rank, const Size* n, MPI_Comm communicator, Size* local_n0,
                               Size* local_0_start) {
  return WEFT_FFTW(mpi_local_size_many)(rank, n, 1, 0, communicator, local_n0, local_0_start);
}

Size WEFT_FFTW(mpi_local_size_1d)(Size n0, MPI_Comm communicator, int sign, unsigned flags,
                                  Size* local_ni, Size* local_i_start, Size* local_no,
                                  Size* local_o_start) {
  return WEFT_FFTW(mpi_local_size_many_1d)(n0, 1, communicator, sign, flags, local_ni,
                                           local_i_start, local_no, local_o_start);
}

Size WEFT_FFTW(mpi_local_size_2d)(Size n0, Size n1, MPI_Comm communicator, Size* local_n0,
                                  Size* local_0_start) {
  const Size n[] = {n0, n1};
  return WEFT_FFTW(mpi_local_size_many)(2, n, 1, 0, communicator, local_n0, local_0_start);
}

Size WEFT_FFTW(mpi_local_size_2d_transposed)(Size n0, Size n1, MPI_Comm communicator,
                                             Size* local_n0, Size* local_0_start, Size* local_n1,
                                             Size* local_1_start) {
  const Size n[] = {n0, n1};
  return WEFT_FFTW(mpi_local_size_many_transposed)(2, n, 1, 0, 0, communicator, local_n0,
                                                   local_0_start, local_n1, local_1_start);
}

Size WEFT_FFTW(mpi_local_size_3d)(Size n0, Size n1, Size n2, MPI_Comm communicator, Size* local_n0,
                                  Size* local_0_start) {
  const Size n[] = {n0, n1, n2};
  return WEFT_FFTW(mpi_local_size_many)(3, n, 1, 0, communicator, local_n0, local_0_start);
}

Size WEFT_FFTW(mpi_local_size_3d_transposed)(Size n0, Size n1, Size n2, MPI_Comm communicator,
                                             Size* local_n0, Size* local_0_start, Size* local_n1,
                                             Size* local_1_start) {
  const Size n[] = {n0, n1, n2};
  return WEFT_FFTW(mpi_local_size_many_transposed)(3, n, 1, 0, 0, communicator, local_n0,
                                                   local_0_start, local_n1, local_1_start);
}

}  // namespace weft::fftw
