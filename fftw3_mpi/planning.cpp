// The planning functions of FFTW-MPI. The `many` forms describe a Problem; the others call them.
#include "api.hpp"
#include "plan.hpp"
#include "real_library.hpp"
#include "report.hpp"

namespace weft::fftw {
namespace {

/// Calls `real` with other arrays; empty if FFTW has no function `real`.
template <class Function, class Call>
RealPlanner planner(Function* real, Call call) {
  if (!real) return {};
  return [=](void* in, void* out) { return call(real, in, out); };
}

std::vector<Size> lengths(int rank, const Size* n) {
  return rank > 0 ? std::vector<Size>(n, n + rank) : std::vector<Size>();
}

/// c2c along all axes, and `last` along the last.
std::vector<Kind> complex_kinds(int rank, Kind last) {
  std::vector<Kind> result(static_cast<std::size_t>(std::max(rank, 0)), Kind::c2c);
  if (!result.empty()) result.back() = last;
  return result;
}

}  // namespace

PlanPointer WEFT_FFTW(mpi_plan_many_dft)(int rank, const Size* n, Size howmany, Size input_block,
                                         Size output_block, Complex* in, Complex* out,
                                         MPI_Comm communicator, int sign, unsigned flags) {
  return guarded("mpi_plan_many_dft", [&] {
    const Problem problem{lengths(rank, n),
                          complex_kinds(rank, weft::Kind::c2c),
                          howmany,
                          input_block,
                          output_block,
                          sign,
                          flags};
    const auto real_planner = planner(
        real(&WEFT_FFTW(mpi_plan_many_dft), "mpi_plan_many_dft"),
        [=](auto* plan, void* from, void* to) {
          return plan(rank, n, howmany, input_block, output_block, static_cast<Complex*>(from),
                      static_cast<Complex*>(to), communicator, sign, flags);
        });
    return make_plan(problem, in, out, communicator, real_planner);
  });
}

PlanPointer WEFT_FFTW(mpi_plan_many_dft_r2c)(int rank, const Size* n, Size howmany,
                                             Size input_block, Size output_block, Real* in,
                                             Complex* out, MPI_Comm communicator, unsigned flags) {
  return guarded("mpi_plan_many_dft_r2c", [&] {
    const Problem problem{lengths(rank, n),
                          complex_kinds(rank, weft::Kind::r2c),
                          howmany,
                          input_block,
                          output_block,
                          -1,
                          flags};
    const auto real_planner =
        planner(real(&WEFT_FFTW(mpi_plan_many_dft_r2c), "mpi_plan_many_dft_r2c"),
                [=](auto* plan, void* from, void* to) {
                  return plan(rank, n, howmany, input_block, output_block, static_cast<Real*>(from),
                              static_cast<Complex*>(to), communicator, flags);
                });
    return make_plan(problem, in, out, communicator, real_planner);
  });
}

PlanPointer WEFT_FFTW(mpi_plan_many_dft_c2r)(int rank, const Size* n, Size howmany,
                                             Size input_block, Size output_block, Complex* in,
                                             Real* out, MPI_Comm communicator, unsigned flags) {
  return guarded("mpi_plan_many_dft_c2r", [&] {
    const Problem problem{lengths(rank, n),
                          complex_kinds(rank, weft::Kind::c2r),
                          howmany,
                          input_block,
                          output_block,
                          1,
                          flags};
    const auto real_planner = planner(
        real(&WEFT_FFTW(mpi_plan_many_dft_c2r), "mpi_plan_many_dft_c2r"),
        [=](auto* plan, void* from, void* to) {
          return plan(rank, n, howmany, input_block, output_block, static_cast<Complex*>(from),
                      static_cast<Real*>(to), communicator, flags);
        });
    return make_plan(problem, in, out, communicator, real_planner);
  });
}

PlanPointer WEFT_FFTW(mpi_plan_many_r2r)(int rank, const Size* n, Size howmany, Size input_block,
                                         Size output_block, Real* in, Real* out,
                                         MPI_Comm communicator, const R2rKind* kinds,
                                         unsigned flags) {
  return guarded("mpi_plan_many_r2r", [&] {
    const Problem problem{
        lengths(rank, n), kinds_of(rank, kinds), howmany, input_block, output_block, -1, flags};
    const auto real_planner =
        planner(real(&WEFT_FFTW(mpi_plan_many_r2r), "mpi_plan_many_r2r"),
                [=](auto* plan, void* from, void* to) {
                  return plan(rank, n, howmany, input_block, output_block, static_cast<Real*>(from),
                              static_cast<Real*>(to), communicator, kinds, flags);
                });
    return make_plan(problem, in, out, communicator, real_planner);
  });
}

PlanPointer WEFT_FFTW(mpi_plan_many_transpose)(Size n0, Size n1, Size howmany, Size input_block,
                                               Size output_block, Real* in, Real* out,
                                               MPI_Comm communicator, unsigned flags) {
  return guarded("mpi_plan_many_transpose", [&] {
    const Problem problem{
        {n0, n1}, {weft::Kind::none, weft::Kind::none}, howmany, input_block, output_block, -1,
        flags};
    const auto real_planner =
        planner(real(&WEFT_FFTW(mpi_plan_many_transpose), "mpi_plan_many_transpose"),
                [=](auto* plan, void* from, void* to) {
                  return plan(n0, n1, howmany, input_block, output_block, static_cast<Real*>(from),
                              static_cast<Real*>(to), communicator, flags);
                });
    return make_plan(problem, in, out, communicator, real_planner);
  });
}

// Cases of these.

PlanPointer WEFT_FFTW(mpi_plan_transpose)(Size n0, Size n1, Real* in, Real* out,
                                          MPI_Comm communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_transpose)(n0, n1, 1, 0, 0, in, out, communicator, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft)(int rank, const Size* n, Complex* in, Complex* out,
                                    MPI_Comm communicator, int sign, unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_dft)(rank, n, 1, 0, 0, in, out, communicator, sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_1d)(Size n0, Complex* in, Complex* out, MPI_Comm communicator,
                                       int sign, unsigned flags) {
  const Size n[] = {n0};
  return WEFT_FFTW(mpi_plan_many_dft)(1, n, 1, 0, 0, in, out, communicator, sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_2d)(Size n0, Size n1, Complex* in, Complex* out,
                                       MPI_Comm communicator, int sign, unsigned flags) {
  const Size n[] = {n0, n1};
  return WEFT_FFTW(mpi_plan_many_dft)(2, n, 1, 0, 0, in, out, communicator, sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_3d)(Size n0, Size n1, Size n2, Complex* in, Complex* out,
                                       MPI_Comm communicator, int sign, unsigned flags) {
  const Size n[] = {n0, n1, n2};
  return WEFT_FFTW(mpi_plan_many_dft)(3, n, 1, 0, 0, in, out, communicator, sign, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_r2r)(int rank, const Size* n, Real* in, Real* out,
                                    MPI_Comm communicator, const R2rKind* kinds, unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_r2r)(rank, n, 1, 0, 0, in, out, communicator, kinds, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_r2r_2d)(Size n0, Size n1, Real* in, Real* out, MPI_Comm communicator,
                                       R2rKind kind0, R2rKind kind1, unsigned flags) {
  const Size n[] = {n0, n1};
  const R2rKind kinds[] = {kind0, kind1};
  return WEFT_FFTW(mpi_plan_many_r2r)(2, n, 1, 0, 0, in, out, communicator, kinds, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_r2r_3d)(Size n0, Size n1, Size n2, Real* in, Real* out,
                                       MPI_Comm communicator, R2rKind kind0, R2rKind kind1,
                                       R2rKind kind2, unsigned flags) {
  const Size n[] = {n0, n1, n2};
  const R2rKind kinds[] = {kind0, kind1, kind2};
  return WEFT_FFTW(mpi_plan_many_r2r)(3, n, 1, 0, 0, in, out, communicator, kinds, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_r2c)(int rank, const Size* n, Real* in, Complex* out,
                                        MPI_Comm communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_dft_r2c)(rank, n, 1, 0, 0, in, out, communicator, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_2d)(Size n0, Size n1, Real* in, Complex* out,
                                           MPI_Comm communicator, unsigned flags) {
  const Size n[] = {n0, n1};
  return WEFT_FFTW(mpi_plan_many_dft_r2c)(2, n, 1, 0, 0, in, out, communicator, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_r2c_3d)(Size n0, Size n1, Size n2, Real* in, Complex* out,
                                           MPI_Comm communicator, unsigned flags) {
  const Size n[] = {n0, n1, n2};
  return WEFT_FFTW(mpi_plan_many_dft_r2c)(3, n, 1, 0, 0, in, out, communicator, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_c2r)(int rank, const Size* n, Complex* in, Real* out,
                                        MPI_Comm communicator, unsigned flags) {
  return WEFT_FFTW(mpi_plan_many_dft_c2r)(rank, n, 1, 0, 0, in, out, communicator, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_2d)(Size n0, Size n1, Complex* in, Real* out,
                                           MPI_Comm communicator, unsigned flags) {
  const Size n[] = {n0, n1};
  return WEFT_FFTW(mpi_plan_many_dft_c2r)(2, n, 1, 0, 0, in, out, communicator, flags);
}

PlanPointer WEFT_FFTW(mpi_plan_dft_c2r_3d)(Size n0, Size n1, Size n2, Complex* in, Real* out,
                                           MPI_Comm communicator, unsigned flags) {
  const Size n[] = {n0, n1, n2};
  return WEFT_FFTW(mpi_plan_many_dft_c2r)(3, n, 1, 0, 0, in, out, communicator, flags);
}

}  // namespace weft::fftw
