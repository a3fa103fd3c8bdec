// The functions of FFTW-MPI and of FFTW that the drop-in replaces; FFTW's manual documents them.
// Names differ between precisions.
#pragma once

#include <type_traits>

#include "abi.hpp"

namespace weft::fftw {

// FFTW-MPI.
WEFT_FFTW_API void WEFT_FFTW(mpi_init)();
WEFT_FFTW_API void WEFT_FFTW(mpi_cleanup)();
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_many_transposed)(int rank, const Size* n, Size howmany,
                                                             Size block0, Size block1,
                                                             MPI_Comm communicator, Size* local_n0,
                                                             Size* local_0_start, Size* local_n1,
                                                             Size* local_1_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_many)(int rank, const Size* n, Size howmany,
                                                  Size block0, MPI_Comm communicator,
                                                  Size* local_n0, Size* local_0_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_transposed)(int rank, const Size* n,
                                                        MPI_Comm communicator, Size* local_n0,
                                                        Size* local_0_start, Size* local_n1,
                                                        Size* local_1_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size)(int rank, const Size* n, MPI_Comm communicator,
                                             Size* local_n0, Size* local_0_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_many_1d)(Size n0, Size howmany, MPI_Comm communicator,
                                                     int sign, unsigned flags, Size* local_ni,
                                                     Size* local_i_start, Size* local_no,
                                                     Size* local_o_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_1d)(Size n0, MPI_Comm communicator, int sign,
                                                unsigned flags, Size* local_ni, Size* local_i_start,
                                                Size* local_no, Size* local_o_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_2d)(Size n0, Size n1, MPI_Comm communicator,
                                                Size* local_n0, Size* local_0_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_2d_transposed)(Size n0, Size n1, MPI_Comm communicator,
                                                           Size* local_n0, Size* local_0_start,
                                                           Size* local_n1, Size* local_1_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_3d)(Size n0, Size n1, Size n2, MPI_Comm communicator,
                                                Size* local_n0, Size* local_0_start);
WEFT_FFTW_API Size WEFT_FFTW(mpi_local_size_3d_transposed)(Size n0, Size n1, Size n2,
                                                           MPI_Comm communicator, Size* local_n0,
                                                           Size* local_0_start, Size* local_n1,
                                                           Size* local_1_start);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_many_transpose)(Size n0, Size n1, Size howmany,
                                                             Size block0, Size block1, Real* in,
                                                             Real* out, MPI_Comm communicator,
                                                             unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_transpose)(Size n0, Size n1, Real* in, Real* out,
                                                        MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_many_dft)(int rank, const Size* n, Size howmany,
                                                       Size input_block, Size output_block,
                                                       Complex* in, Complex* out,
                                                       MPI_Comm communicator, int sign,
                                                       unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft)(int rank, const Size* n, Complex* in,
                                                  Complex* out, MPI_Comm communicator, int sign,
                                                  unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_1d)(Size n0, Complex* in, Complex* out,
                                                     MPI_Comm communicator, int sign,
                                                     unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_2d)(Size n0, Size n1, Complex* in, Complex* out,
                                                     MPI_Comm communicator, int sign,
                                                     unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_3d)(Size n0, Size n1, Size n2, Complex* in,
                                                     Complex* out, MPI_Comm communicator, int sign,
                                                     unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_many_r2r)(int rank, const Size* n, Size howmany,
                                                       Size input_block, Size output_block,
                                                       Real* in, Real* out, MPI_Comm communicator,
                                                       const R2rKind* kinds, unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_r2r)(int rank, const Size* n, Real* in, Real* out,
                                                  MPI_Comm communicator, const R2rKind* kinds,
                                                  unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_r2r_2d)(Size n0, Size n1, Real* in, Real* out,
                                                     MPI_Comm communicator, R2rKind kind0,
                                                     R2rKind kind1, unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_r2r_3d)(Size n0, Size n1, Size n2, Real* in, Real* out,
                                                     MPI_Comm communicator, R2rKind kind0,
                                                     R2rKind kind1, R2rKind kind2, unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_many_dft_r2c)(int rank, const Size* n, Size howmany,
                                                           Size input_block, Size output_block,
                                                           Real* in, Complex* out,
                                                           MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_r2c)(int rank, const Size* n, Real* in,
                                                      Complex* out, MPI_Comm communicator,
                                                      unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_2d)(Size n0, Size n1, Real* in, Complex* out,
                                                         MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_3d)(Size n0, Size n1, Size n2, Real* in,
                                                         Complex* out, MPI_Comm communicator,
                                                         unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_many_dft_c2r)(int rank, const Size* n, Size howmany,
                                                           Size input_block, Size output_block,
                                                           Complex* in, Real* out,
                                                           MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_c2r)(int rank, const Size* n, Complex* in,
                                                      Real* out, MPI_Comm communicator,
                                                      unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_2d)(Size n0, Size n1, Complex* in, Real* out,
                                                         MPI_Comm communicator, unsigned flags);
WEFT_FFTW_API PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_3d)(Size n0, Size n1, Size n2, Complex* in,
                                                         Real* out, MPI_Comm communicator,
                                                         unsigned flags);
WEFT_FFTW_API void WEFT_FFTW(mpi_gather_wisdom)(MPI_Comm communicator);
WEFT_FFTW_API void WEFT_FFTW(mpi_broadcast_wisdom)(MPI_Comm communicator);
WEFT_FFTW_API void WEFT_FFTW(mpi_execute_dft)(PlanPointer p, Complex* in, Complex* out);
WEFT_FFTW_API void WEFT_FFTW(mpi_execute_dft_r2c)(PlanPointer p, Real* in, Complex* out);
WEFT_FFTW_API void WEFT_FFTW(mpi_execute_dft_c2r)(PlanPointer p, Complex* in, Real* out);
WEFT_FFTW_API void WEFT_FFTW(mpi_execute_r2r)(PlanPointer p, Real* in, Real* out);

template <class Function>
struct WithIntegers;
template <class Result, class... Arguments>
struct WithIntegers<Result(Arguments...)> {
  template <class Argument>
  using One = std::conditional_t<std::is_same_v<Argument, MPI_Comm>, MPI_Fint, Argument>;
  using Type = Result(One<Arguments>...);
};
/// The type of a function for Fortran, whose communicators are integers.
template <auto* function>
using ForFortran = typename WithIntegers<std::remove_pointer_t<decltype(function)>>::Type;

WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_many_transposed)> WEFT_FFTW(
    mpi_local_size_many_transposed_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_many)> WEFT_FFTW(mpi_local_size_many_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_transposed)> WEFT_FFTW(
    mpi_local_size_transposed_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size)> WEFT_FFTW(mpi_local_size_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_many_1d)> WEFT_FFTW(mpi_local_size_many_1d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_1d)> WEFT_FFTW(mpi_local_size_1d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_2d)> WEFT_FFTW(mpi_local_size_2d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_2d_transposed)> WEFT_FFTW(
    mpi_local_size_2d_transposed_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_3d)> WEFT_FFTW(mpi_local_size_3d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_local_size_3d_transposed)> WEFT_FFTW(
    mpi_local_size_3d_transposed_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_many_transpose)> WEFT_FFTW(mpi_plan_many_transpose_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_transpose)> WEFT_FFTW(mpi_plan_transpose_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_many_dft)> WEFT_FFTW(mpi_plan_many_dft_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft)> WEFT_FFTW(mpi_plan_dft_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_1d)> WEFT_FFTW(mpi_plan_dft_1d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_2d)> WEFT_FFTW(mpi_plan_dft_2d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_3d)> WEFT_FFTW(mpi_plan_dft_3d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_many_r2r)> WEFT_FFTW(mpi_plan_many_r2r_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_r2r)> WEFT_FFTW(mpi_plan_r2r_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_r2r_2d)> WEFT_FFTW(mpi_plan_r2r_2d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_r2r_3d)> WEFT_FFTW(mpi_plan_r2r_3d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_many_dft_r2c)> WEFT_FFTW(mpi_plan_many_dft_r2c_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_r2c)> WEFT_FFTW(mpi_plan_dft_r2c_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_r2c_2d)> WEFT_FFTW(mpi_plan_dft_r2c_2d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_r2c_3d)> WEFT_FFTW(mpi_plan_dft_r2c_3d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_many_dft_c2r)> WEFT_FFTW(mpi_plan_many_dft_c2r_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_c2r)> WEFT_FFTW(mpi_plan_dft_c2r_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_c2r_2d)> WEFT_FFTW(mpi_plan_dft_c2r_2d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_plan_dft_c2r_3d)> WEFT_FFTW(mpi_plan_dft_c2r_3d_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_gather_wisdom)> WEFT_FFTW(mpi_gather_wisdom_f03);
WEFT_FFTW_API ForFortran<WEFT_FFTW(mpi_broadcast_wisdom)> WEFT_FFTW(mpi_broadcast_wisdom_f03);

// The functions of FFTW that take plans.
WEFT_FFTW_API void WEFT_FFTW(execute)(PlanPointer plan);
WEFT_FFTW_API void WEFT_FFTW(execute_dft)(PlanPointer plan, Complex* in, Complex* out);
WEFT_FFTW_API void WEFT_FFTW(execute_dft_r2c)(PlanPointer plan, Real* in, Complex* out);
WEFT_FFTW_API void WEFT_FFTW(execute_dft_c2r)(PlanPointer plan, Complex* in, Real* out);
WEFT_FFTW_API void WEFT_FFTW(execute_r2r)(PlanPointer plan, Real* in, Real* out);
WEFT_FFTW_API void WEFT_FFTW(destroy_plan)(PlanPointer plan);
WEFT_FFTW_API void WEFT_FFTW(print_plan)(PlanPointer plan);
WEFT_FFTW_API void WEFT_FFTW(fprint_plan)(PlanPointer plan, FILE* file);
WEFT_FFTW_API char* WEFT_FFTW(sprint_plan)(PlanPointer plan);
WEFT_FFTW_API double WEFT_FFTW(cost)(PlanPointer plan);
WEFT_FFTW_API double WEFT_FFTW(estimate_cost)(PlanPointer plan);
WEFT_FFTW_API void WEFT_FFTW(flops)(PlanPointer plan, double* additions, double* multiplications,
                                    double* fused);

}  // namespace weft::fftw
