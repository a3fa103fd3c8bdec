// Runs one case and checks as much as possible: values in both directions, unchanged inputs, memory
// around the arrays, and the plan's description.
#pragma once

#include <mpi.h>

#include <complex>
#include <weft/plan.hpp>

#include "cases/cases.hpp"
#include "cases/local_array.hpp"

namespace weft::test {

/// Plans and runs a case; collective. The case's options name the exchange and the engine. Failures
/// are GoogleTest failures. Returns false if the engine reports that it has no such transform.
bool check_case(const Case& one, MPI_Comm communicator);

/// The same in two steps, for plans that live longer.
Plan plan_of(const Case& one, MPI_Comm communicator);
void check_plan(const Case& one, Plan& plan, MPI_Comm communicator);

/// The plan's sides on this rank of the communicator.
Place input_place(const Plan& plan, int rank);
Place output_place(const Plan& plan, int rank);

/// Calls visit(In(), Out()) with elements of the types that the plan's sides have.
template <class Visit>
void with_element_types(const Plan& plan, Visit&& visit) {
  const auto with_precision = [&]<class Real>(Real real) {
    const std::complex<Real> complex;
    if (plan.input_is_real() && plan.output_is_real())
      visit(real, real);
    else if (plan.input_is_real())
      visit(real, complex);
    else if (plan.output_is_real())
      visit(complex, real);
    else
      visit(complex, complex);
  };
  if (plan.transform().precision == Precision::single_)
    with_precision(0.0F);
  else
    with_precision(0.0);
}

}  // namespace weft::test
