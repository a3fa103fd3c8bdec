// The functions of FFTW-MPI and of FFTW that the drop-in takes the place of: FFTW's documentation
// is theirs. Names differ between precisions.
#pragma once

#include "abi.hpp"

// FFTW-MPI.
WEFT_FFTW_API void WEFT_FFTW(mpi_init)();
WEFT_FFTW_API void WEFT_FFTW(mpi_cleanup)();
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_many_transposed)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size block0,
    weft::fftw::Size block1, MPI_Comm communicator, weft::fftw::Size* local_n0,
    weft::fftw::Size* local_0_start, weft::fftw::Size* local_n1, weft::fftw::Size* local_1_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_many)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size block0,
    MPI_Comm communicator, weft::fftw::Size* local_n0, weft::fftw::Size* local_0_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_transposed)(
    int rank, const weft::fftw::Size* n, MPI_Comm communicator, weft::fftw::Size* local_n0,
    weft::fftw::Size* local_0_start, weft::fftw::Size* local_n1, weft::fftw::Size* local_1_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size)(int rank, const weft::fftw::Size* n,
                                                         MPI_Comm communicator,
                                                         weft::fftw::Size* local_n0,
                                                         weft::fftw::Size* local_0_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_many_1d)(
    weft::fftw::Size n0, weft::fftw::Size howmany, MPI_Comm communicator, int sign, unsigned flags,
    weft::fftw::Size* local_ni, weft::fftw::Size* local_i_start, weft::fftw::Size* local_no,
    weft::fftw::Size* local_o_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_1d)(
    weft::fftw::Size n0, MPI_Comm communicator, int sign, unsigned flags,
    weft::fftw::Size* local_ni, weft::fftw::Size* local_i_start, weft::fftw::Size* local_no,
    weft::fftw::Size* local_o_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_2d)(weft::fftw::Size n0,
                                                            weft::fftw::Size n1,
                                                            MPI_Comm communicator,
                                                            weft::fftw::Size* local_n0,
                                                            weft::fftw::Size* local_0_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_2d_transposed)(
    weft::fftw::Size n0, weft::fftw::Size n1, MPI_Comm communicator, weft::fftw::Size* local_n0,
    weft::fftw::Size* local_0_start, weft::fftw::Size* local_n1, weft::fftw::Size* local_1_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_3d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, MPI_Comm communicator,
    weft::fftw::Size* local_n0, weft::fftw::Size* local_0_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_3d_transposed)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, MPI_Comm communicator,
    weft::fftw::Size* local_n0, weft::fftw::Size* local_0_start, weft::fftw::Size* local_n1,
    weft::fftw::Size* local_1_start);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_transpose)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size howmany, weft::fftw::Size block0,
    weft::fftw::Size block1, weft::fftw::Real* in, weft::fftw::Real* out, MPI_Comm communicator,
    unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_transpose)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Real* in, weft::fftw::Real* out,
    MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_dft)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size input_block,
    weft::fftw::Size output_block, weft::fftw::Complex* in, weft::fftw::Complex* out,
    MPI_Comm communicator, int sign, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft)(int rank, const weft::fftw::Size* n,
                                                              weft::fftw::Complex* in,
                                                              weft::fftw::Complex* out,
                                                              MPI_Comm communicator, int sign,
                                                              unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_1d)(weft::fftw::Size n0,
                                                                 weft::fftw::Complex* in,
                                                                 weft::fftw::Complex* out,
                                                                 MPI_Comm communicator, int sign,
                                                                 unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_2d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Complex* in, weft::fftw::Complex* out,
    MPI_Comm communicator, int sign, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_3d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, weft::fftw::Complex* in,
    weft::fftw::Complex* out, MPI_Comm communicator, int sign, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_r2r)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size input_block,
    weft::fftw::Size output_block, weft::fftw::Real* in, weft::fftw::Real* out,
    MPI_Comm communicator, const weft::fftw::R2rKind* kinds, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_r2r)(
    int rank, const weft::fftw::Size* n, weft::fftw::Real* in, weft::fftw::Real* out,
    MPI_Comm communicator, const weft::fftw::R2rKind* kinds, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_r2r_2d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Real* in, weft::fftw::Real* out,
    MPI_Comm communicator, weft::fftw::R2rKind kind0, weft::fftw::R2rKind kind1, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_r2r_3d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, weft::fftw::Real* in,
    weft::fftw::Real* out, MPI_Comm communicator, weft::fftw::R2rKind kind0,
    weft::fftw::R2rKind kind1, weft::fftw::R2rKind kind2, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_dft_r2c)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size input_block,
    weft::fftw::Size output_block, weft::fftw::Real* in, weft::fftw::Complex* out,
    MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_r2c)(
    int rank, const weft::fftw::Size* n, weft::fftw::Real* in, weft::fftw::Complex* out,
    MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_2d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Real* in, weft::fftw::Complex* out,
    MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_3d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, weft::fftw::Real* in,
    weft::fftw::Complex* out, MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_dft_c2r)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size input_block,
    weft::fftw::Size output_block, weft::fftw::Complex* in, weft::fftw::Real* out,
    MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_c2r)(
    int rank, const weft::fftw::Size* n, weft::fftw::Complex* in, weft::fftw::Real* out,
    MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_2d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Complex* in, weft::fftw::Real* out,
    MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_3d)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, weft::fftw::Complex* in,
    weft::fftw::Real* out, MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API void WEFT_FFTW(mpi_gather_wisdom)(MPI_Comm communicator);
WEFT_FFTW_API void WEFT_FFTW(mpi_broadcast_wisdom)(MPI_Comm communicator);
WEFT_FFTW_API void WEFT_FFTW(mpi_execute_dft)(weft::fftw::PlanPointer p, weft::fftw::Complex* in,
                                              weft::fftw::Complex* out);
WEFT_FFTW_API void WEFT_FFTW(mpi_execute_dft_r2c)(weft::fftw::PlanPointer p, weft::fftw::Real* in,
                                                  weft::fftw::Complex* out);
WEFT_FFTW_API void WEFT_FFTW(mpi_execute_dft_c2r)(weft::fftw::PlanPointer p,
                                                  weft::fftw::Complex* in, weft::fftw::Real* out);
WEFT_FFTW_API void WEFT_FFTW(mpi_execute_r2r)(weft::fftw::PlanPointer p, weft::fftw::Real* in,
                                              weft::fftw::Real* out);

// The same for Fortran, whose communicators are integers.
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_many_transposed_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size block0,
    weft::fftw::Size block1, MPI_Fint communicator, weft::fftw::Size* local_n0,
    weft::fftw::Size* local_0_start, weft::fftw::Size* local_n1, weft::fftw::Size* local_1_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_many_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size block0,
    MPI_Fint communicator, weft::fftw::Size* local_n0, weft::fftw::Size* local_0_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_transposed_f03)(
    int rank, const weft::fftw::Size* n, MPI_Fint communicator, weft::fftw::Size* local_n0,
    weft::fftw::Size* local_0_start, weft::fftw::Size* local_n1, weft::fftw::Size* local_1_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_f03)(int rank, const weft::fftw::Size* n,
                                                             MPI_Fint communicator,
                                                             weft::fftw::Size* local_n0,
                                                             weft::fftw::Size* local_0_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_many_1d_f03)(
    weft::fftw::Size n0, weft::fftw::Size howmany, MPI_Fint communicator, int sign, unsigned flags,
    weft::fftw::Size* local_ni, weft::fftw::Size* local_i_start, weft::fftw::Size* local_no,
    weft::fftw::Size* local_o_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_1d_f03)(
    weft::fftw::Size n0, MPI_Fint communicator, int sign, unsigned flags,
    weft::fftw::Size* local_ni, weft::fftw::Size* local_i_start, weft::fftw::Size* local_no,
    weft::fftw::Size* local_o_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_2d_f03)(weft::fftw::Size n0,
                                                                weft::fftw::Size n1,
                                                                MPI_Fint communicator,
                                                                weft::fftw::Size* local_n0,
                                                                weft::fftw::Size* local_0_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_2d_transposed_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, MPI_Fint communicator, weft::fftw::Size* local_n0,
    weft::fftw::Size* local_0_start, weft::fftw::Size* local_n1, weft::fftw::Size* local_1_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_3d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, MPI_Fint communicator,
    weft::fftw::Size* local_n0, weft::fftw::Size* local_0_start);
WEFT_FFTW_API weft::fftw::Size WEFT_FFTW(mpi_local_size_3d_transposed_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, MPI_Fint communicator,
    weft::fftw::Size* local_n0, weft::fftw::Size* local_0_start, weft::fftw::Size* local_n1,
    weft::fftw::Size* local_1_start);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_transpose_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size howmany, weft::fftw::Size block0,
    weft::fftw::Size block1, weft::fftw::Real* in, weft::fftw::Real* out, MPI_Fint communicator,
    unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_transpose_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Real* in, weft::fftw::Real* out,
    MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_dft_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size input_block,
    weft::fftw::Size output_block, weft::fftw::Complex* in, weft::fftw::Complex* out,
    MPI_Fint communicator, int sign, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Complex* in, weft::fftw::Complex* out,
    MPI_Fint communicator, int sign, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_1d_f03)(weft::fftw::Size n0,
                                                                     weft::fftw::Complex* in,
                                                                     weft::fftw::Complex* out,
                                                                     MPI_Fint communicator,
                                                                     int sign, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_2d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Complex* in, weft::fftw::Complex* out,
    MPI_Fint communicator, int sign, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_3d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, weft::fftw::Complex* in,
    weft::fftw::Complex* out, MPI_Fint communicator, int sign, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_r2r_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size input_block,
    weft::fftw::Size output_block, weft::fftw::Real* in, weft::fftw::Real* out,
    MPI_Fint communicator, const weft::fftw::R2rKind* kinds, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_r2r_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Real* in, weft::fftw::Real* out,
    MPI_Fint communicator, const weft::fftw::R2rKind* kinds, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_r2r_2d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Real* in, weft::fftw::Real* out,
    MPI_Fint communicator, weft::fftw::R2rKind kind0, weft::fftw::R2rKind kind1, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_r2r_3d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, weft::fftw::Real* in,
    weft::fftw::Real* out, MPI_Fint communicator, weft::fftw::R2rKind kind0,
    weft::fftw::R2rKind kind1, weft::fftw::R2rKind kind2, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_dft_r2c_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size input_block,
    weft::fftw::Size output_block, weft::fftw::Real* in, weft::fftw::Complex* out,
    MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Real* in, weft::fftw::Complex* out,
    MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_2d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Real* in, weft::fftw::Complex* out,
    MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_3d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, weft::fftw::Real* in,
    weft::fftw::Complex* out, MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_many_dft_c2r_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Size howmany, weft::fftw::Size input_block,
    weft::fftw::Size output_block, weft::fftw::Complex* in, weft::fftw::Real* out,
    MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_f03)(
    int rank, const weft::fftw::Size* n, weft::fftw::Complex* in, weft::fftw::Real* out,
    MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_2d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Complex* in, weft::fftw::Real* out,
    MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API weft::fftw::PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_3d_f03)(
    weft::fftw::Size n0, weft::fftw::Size n1, weft::fftw::Size n2, weft::fftw::Complex* in,
    weft::fftw::Real* out, MPI_Fint communicator, unsigned flags);
WEFT_FFTW_API void WEFT_FFTW(mpi_gather_wisdom_f03)(MPI_Fint communicator);
WEFT_FFTW_API void WEFT_FFTW(mpi_broadcast_wisdom_f03)(MPI_Fint communicator);

// The functions of FFTW that take plans.
WEFT_FFTW_API void WEFT_FFTW(execute)(weft::fftw::PlanPointer plan);
WEFT_FFTW_API void WEFT_FFTW(execute_dft)(weft::fftw::PlanPointer plan, weft::fftw::Complex* in,
                                          weft::fftw::Complex* out);
WEFT_FFTW_API void WEFT_FFTW(execute_dft_r2c)(weft::fftw::PlanPointer plan, weft::fftw::Real* in,
                                              weft::fftw::Complex* out);
WEFT_FFTW_API void WEFT_FFTW(execute_dft_c2r)(weft::fftw::PlanPointer plan, weft::fftw::Complex* in,
                                              weft::fftw::Real* out);
WEFT_FFTW_API void WEFT_FFTW(execute_r2r)(weft::fftw::PlanPointer plan, weft::fftw::Real* in,
                                          weft::fftw::Real* out);
WEFT_FFTW_API void WEFT_FFTW(destroy_plan)(weft::fftw::PlanPointer plan);
WEFT_FFTW_API void WEFT_FFTW(print_plan)(weft::fftw::PlanPointer plan);
WEFT_FFTW_API void WEFT_FFTW(fprint_plan)(weft::fftw::PlanPointer plan, FILE* file);
WEFT_FFTW_API char* WEFT_FFTW(sprint_plan)(weft::fftw::PlanPointer plan);
WEFT_FFTW_API double WEFT_FFTW(cost)(weft::fftw::PlanPointer plan);
WEFT_FFTW_API double WEFT_FFTW(estimate_cost)(weft::fftw::PlanPointer plan);
WEFT_FFTW_API void WEFT_FFTW(flops)(weft::fftw::PlanPointer plan, double* additions,
                                    double* multiplications, double* fused);
