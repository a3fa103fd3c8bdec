// FFTW-MPI's functions for Fortran: communicators are integers, all else is as in C.
#include "api.hpp"

namespace weft::fftw {

Size WEFT_FFTW(mpi_local_size_many_transposed_f03)(int rank, const Size* n, Size howmany,
                                                   Size block0, Size block1, MPI_Fint communicator,
                                                   Size* local_n0, Size* local_0_start,
                                                   Size* local_n1, Size* local_1_start) {
  return WEFT_FFTW(mpi_local_size_many_transposed)(rank, n, howmany, block0, block1,
                                                   MPI_Comm_f2c(communicator), local_n0,
                                                   local_0_start, local_n1, local_1_start);
}

Size WEFT_FFTW(mpi_local_size_many_f03)(int rank, const Size* n, Size howmany, Size block0,
                                        MPI_Fint communicator, Size* local_n0,
                                        Size* local_0_start) {
  return WEFT_FFTW(mpi_local_size_many)(rank, n, howmany, block0, MPI_Comm_f2c(communicator),
                                        local_n0, local_0_start);
}

Size WEFT_FFTW(mpi_local_size_transposed_f03)(int rank, const Size* n, MPI_Fint communicator,
                                              Size* local_n0, Size* local_0_start, Size* local_n1,
                                              Size* local_1_start) {
  return WEFT_FFTW(mpi_local_size_transposed)(rank, n, MPI_Comm_f2c(communicator), local_n0,
                                              local_0_start, local_n1, local_1_start);
}

Size WEFT_FFTW(mpi_local_size_f03)(int rank, const Size* n, MPI_Fint communicator, Size* local_n0,
                                   Size* local_0_start) {
  return WEFT_FFTW(mpi_local_size)(rank, n, MPI_Comm_f2c(communicator), local_n0, local_0_start);
}

Size WEFT_FFTW(mpi_local_size_many_1d_f03)(Size n0, Size howmany, MPI_Fint communicator, int sign,
                                           unsigned flags, Size* local_ni, Size* local_i_start,
                                           Size* local_no, Size* local_o_start) {
  return WEFT_FFTW(mpi_local_size_many_1d)(n0, howmany, MPI_Comm_f2c(communicator), sign, flags,
                                           local_ni, local_i_start, local_no, local_o_start);
}

Size WEFT_FFTW(mpi_local_size_1d_f03)(Size n0, MPI_Fint communicator, int sign, unsigned flags,
                                      Size* local_ni, Size* local_i_start, Size* local_no,
                                      Size* local_o_start) {
  return WEFT_FFTW(mpi_local_size_1d)(n0, MPI_Comm_f2c(communicator), sign, flags, local_ni,
                                      local_i_start, local_no, local_o_start);
}

Size WEFT_FFTW(mpi_local_size_2d_f03)(Size n0, Size n1, MPI_Fint communicator, Size* local_n0,
                                      Size* local_0_start) {
  return WEFT_FFTW(mpi_local_size_2d)(n0, n1, MPI_Comm_f2c(communicator), local_n0, local_0_start);
}

Size WEFT_FFTW(mpi_local_size_2d_transposed_f03)(Size n0, Size n1, MPI_Fint communicator,
                                                 Size* local_n0, Size* local_0_start,
                                                 Size* local_n1, Size* local_1_start) {
  return WEFT_FFTW(mpi_local_size_2d_transposed)(n0, n1, MPI_Comm_f2c(communicator), local_n0,
                                                 local_0_start, local_n1, local_1_start);
}

Size WEFT_FFTW(mpi_local_size_3d_f03)(Size n0, Size n1, Size n2, MPI_Fint communicator,
                                      Size* local_n0, Size* local_0_start) {
  return WEFT_FFTW(mpi_local_size_3d)(n0, n1, n2, MPI_Comm_f2c(communicator), local_n0,
                                      local_0_start);
}

Size WEFT_FFTW(mpi_local_size_3d_transposed_f03)(Size n0, Size n1, Size n2, MPI_Fint communicator,
                                                 Size* local_n0, Size* local_0_start,
                                                 Size* local_n1, Size* local_1_start) {
  return WEFT_FFTW(mpi_local_size_3d_transposed)(n0, n1, n2, MPI_Comm_f2c(communicator), local_n0,
                                                 local_0_start, local_n1, local_1_start);
}

PlanPointer WEFT_FFTW(mpi_plan_many_transpose_f03)(Size n0, Size n1, Size howmany, Size block0,
                                                   Size block1, Real* in, Real* out,
                                                   MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_transpose)(n0, n1, howmany, block0, block1, in, out,
                                            MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_transpose_f03)(Size n0, Size n1, Real* in, Real* out,
                                              MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_transpose)(n0, n1, in, out, MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_many_dft_f03)(int rank, const Size* n, Size howmany,
                                             Size input_block, Size output_block, Complex* in,
                                             Complex* out, MPI_Fint communicator, int sign,
                                             unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_dft)(rank, n, howmany, input_block, output_block, in, out,
                                      MPI_Comm_f2c(communicator), sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_f03)(int rank, const Size* n, Complex* in, Complex* out,
                                        MPI_Fint communicator, int sign, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft)(rank, n, in, out, MPI_Comm_f2c(communicator), sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_1d_f03)(Size n0, Complex* in, Complex* out,
                                           MPI_Fint communicator, int sign, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_1d)(n0, in, out, MPI_Comm_f2c(communicator), sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_2d_f03)(Size n0, Size n1, Complex* in, Complex* out,
                                           MPI_Fint communicator, int sign, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_2d)(n0, n1, in, out, MPI_Comm_f2c(communicator), sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_3d_f03)(Size n0, Size n1, Size n2, Complex* in, Complex* out,
                                           MPI_Fint communicator, int sign, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(communicator), sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_many_r2r_f03)(int rank, const Size* n, Size howmany,
                                             Size input_block, Size output_block, Real* in,
                                             Real* out, MPI_Fint communicator, const R2rKind* kinds,
                                             unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_r2r)(rank, n, howmany, input_block, output_block, in, out,
                                      MPI_Comm_f2c(communicator), kinds, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_r2r_f03)(int rank, const Size* n, Real* in, Real* out,
                                        MPI_Fint communicator, const R2rKind* kinds,
                                        unsigned flags) {
  return WEFT_FFTW(mpi_plan_r2r)(rank, n, in, out, MPI_Comm_f2c(communicator), kinds, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_r2r_2d_f03)(Size n0, Size n1, Real* in, Real* out,
                                           MPI_Fint communicator, R2rKind kind0, R2rKind kind1,
                                           unsigned flags) {
  return WEFT_FFTW(mpi_plan_r2r_2d)(n0, n1, in, out, MPI_Comm_f2c(communicator), kind0, kind1,
                                    flags);
}

PlanPointer WEFT_FFTW(mpi_plan_r2r_3d_f03)(Size n0, Size n1, Size n2, Real* in, Real* out,
                                           MPI_Fint communicator, R2rKind kind0, R2rKind kind1,
                                           R2rKind kind2, unsigned flags) {
  return WEFT_FFTW(mpi_plan_r2r_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(communicator), kind0, kind1,
                                    kind2, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_many_dft_r2c_f03)(int rank, const Size* n, Size howmany,
                                                 Size input_block, Size output_block, Real* in,
                                                 Complex* out, MPI_Fint communicator,
                                                 unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_dft_r2c)(rank, n, howmany, input_block, output_block, in, out,
                                          MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_f03)(int rank, const Size* n, Real* in, Complex* out,
                                            MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_r2c)(rank, n, in, out, MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_2d_f03)(Size n0, Size n1, Real* in, Complex* out,
                                               MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_r2c_2d)(n0, n1, in, out, MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_3d_f03)(Size n0, Size n1, Size n2, Real* in, Complex* out,
                                               MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_r2c_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_many_dft_c2r_f03)(int rank, const Size* n, Size howmany,
                                                 Size input_block, Size output_block, Complex* in,
                                                 Real* out, MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_dft_c2r)(rank, n, howmany, input_block, output_block, in, out,
                                          MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_f03)(int rank, const Size* n, Complex* in, Real* out,
                                            MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_c2r)(rank, n, in, out, MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_2d_f03)(Size n0, Size n1, Complex* in, Real* out,
                                               MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_c2r_2d)(n0, n1, in, out, MPI_Comm_f2c(communicator), flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_3d_f03)(Size n0, Size n1, Size n2, Complex* in, Real* out,
                                               MPI_Fint communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_dft_c2r_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(communicator), flags);
}

void WEFT_FFTW(mpi_gather_wisdom_f03)(MPI_Fint communicator) {
  WEFT_FFTW(mpi_gather_wisdom)(MPI_Comm_f2c(communicator));
}

void WEFT_FFTW(mpi_broadcast_wisdom_f03)(MPI_Fint communicator) {
  WEFT_FFTW(mpi_broadcast_wisdom)(MPI_Comm_f2c(communicator));
}

}  // namespace weft::fftw
