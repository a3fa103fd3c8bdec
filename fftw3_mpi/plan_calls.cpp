// Running, printing and destroying plans: Weft's plans here, all others with FFTW. Programs run
// plans of FFTW-MPI with any of FFTW's functions, whatever the types in its name.
#include <cstring>

#include "api.hpp"
#include "plan.hpp"
#include "real_library.hpp"
#include "report.hpp"

namespace weft::fftw {

void WEFT_FFTW(execute)(PlanPointer plan) {
  if (OwnPlan* const mine = own(plan)) return execute(*mine);
  static auto* const real_execute = real_or_end(&WEFT_FFTW(execute), "execute");
  real_execute(plan);
}

void WEFT_FFTW(execute_dft)(PlanPointer plan, Complex* in, Complex* out) {
  if (OwnPlan* const mine = own(plan)) return execute(*mine, in, out);
  static auto* const real_execute = real_or_end(&WEFT_FFTW(execute_dft), "execute_dft");
  real_execute(plan, in, out);
}

void WEFT_FFTW(execute_dft_r2c)(PlanPointer plan, Real* in, Complex* out) {
  if (OwnPlan* const mine = own(plan)) return execute(*mine, in, out);
  static auto* const real_execute = real_or_end(&WEFT_FFTW(execute_dft_r2c), "execute_dft_r2c");
  real_execute(plan, in, out);
}

void WEFT_FFTW(execute_dft_c2r)(PlanPointer plan, Complex* in, Real* out) {
  if (OwnPlan* const mine = own(plan)) return execute(*mine, in, out);
  static auto* const real_execute = real_or_end(&WEFT_FFTW(execute_dft_c2r), "execute_dft_c2r");
  real_execute(plan, in, out);
}

void WEFT_FFTW(execute_r2r)(PlanPointer plan, Real* in, Real* out) {
  if (OwnPlan* const mine = own(plan)) return execute(*mine, in, out);
  static auto* const real_execute = real_or_end(&WEFT_FFTW(execute_r2r), "execute_r2r");
  real_execute(plan, in, out);
}

// All plans of FFTW-MPI run in the same way.

void WEFT_FFTW(mpi_execute_dft)(PlanPointer plan, Complex* in, Complex* out) {
  WEFT_FFTW(execute_r2r)(plan, reinterpret_cast<Real*>(in), reinterpret_cast<Real*>(out));
}

void WEFT_FFTW(mpi_execute_dft_r2c)(PlanPointer plan, Real* in, Complex* out) {
  WEFT_FFTW(execute_r2r)(plan, reinterpret_cast<Real*>(in), reinterpret_cast<Real*>(out));
}

void WEFT_FFTW(mpi_execute_dft_c2r)(PlanPointer plan, Complex* in, Real* out) {
  WEFT_FFTW(execute_r2r)(plan, reinterpret_cast<Real*>(in), reinterpret_cast<Real*>(out));
}

void WEFT_FFTW(mpi_execute_r2r)(PlanPointer plan, Real* in, Real* out) {
  WEFT_FFTW(execute_r2r)(plan, reinterpret_cast<Real*>(in), reinterpret_cast<Real*>(out));
}

void WEFT_FFTW(destroy_plan)(PlanPointer plan) {
  if (!plan) return;
  if (OwnPlan* const mine = own(plan)) return destroy(mine);
  static auto* const real_destroy = real_or_end(&WEFT_FFTW(destroy_plan), "destroy_plan");
  real_destroy(plan);
}

char* WEFT_FFTW(sprint_plan)(PlanPointer plan) {
  if (const OwnPlan* const mine = own(plan))
    return guarded("sprint_plan", [&] { return strdup(describe(*mine).c_str()); });
  return real_or_end(&WEFT_FFTW(sprint_plan), "sprint_plan")(plan);
}

void WEFT_FFTW(fprint_plan)(PlanPointer plan, FILE* file) {
  if (const OwnPlan* const mine = own(plan))
    guarded("fprint_plan", [&] { std::fputs(describe(*mine).c_str(), file); });
  else
    real_or_end(&WEFT_FFTW(fprint_plan), "fprint_plan")(plan, file);
}

void WEFT_FFTW(print_plan)(PlanPointer plan) { WEFT_FFTW(fprint_plan)(plan, stdout); }

double WEFT_FFTW(cost)(PlanPointer plan) {
  const OwnPlan* const mine = own(plan);
  return mine ? operations(*mine) : real_or_end(&WEFT_FFTW(cost), "cost")(plan);
}

double WEFT_FFTW(estimate_cost)(PlanPointer plan) {
  const OwnPlan* const mine = own(plan);
  return mine ? operations(*mine) : real_or_end(&WEFT_FFTW(estimate_cost), "estimate_cost")(plan);
}

void WEFT_FFTW(flops)(PlanPointer plan, double* additions, double* multiplications, double* fused) {
  const OwnPlan* const mine = own(plan);
  if (!mine) {
    real_or_end(&WEFT_FFTW(flops), "flops")(plan, additions, multiplications, fused);
    return;
  }
  *additions = operations(*mine);
  *multiplications = 0;
  *fused = 0;
}

// The rest is FFTW's, and means nothing where there is none.

void WEFT_FFTW(mpi_init)() {
  if (auto* const init = real(&WEFT_FFTW(mpi_init), "mpi_init")) init();
}

void WEFT_FFTW(mpi_cleanup)() {
  if (auto* const cleanup = real(&WEFT_FFTW(mpi_cleanup), "mpi_cleanup")) cleanup();
}

void WEFT_FFTW(mpi_gather_wisdom)(MPI_Comm communicator) {
  if (auto* const gather = real(&WEFT_FFTW(mpi_gather_wisdom), "mpi_gather_wisdom"))
    gather(communicator);
}

void WEFT_FFTW(mpi_broadcast_wisdom)(MPI_Comm communicator) {
  if (auto* const broadcast = real(&WEFT_FFTW(mpi_broadcast_wisdom), "mpi_broadcast_wisdom"))
    broadcast(communicator);
}

}  // namespace weft::fftw
