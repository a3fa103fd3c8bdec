// Runs one case and checks all that can be: values both ways, untouched inputs, memory around the
// arrays, and what the plan says of itself.
#pragma once

#include <mpi.h>

#include <string>
#include <weft/plan.hpp>

#include "cases.hpp"
#include "local_array.hpp"

namespace weft::test {

/// Plans and runs a case; collective. The case's options name the exchange and the engine. Failures
/// are GoogleTest's. False where the engine has no such transform, and says so.
bool check_case(const Case& one, MPI_Comm communicator);

/// The same in two steps, for plans that live longer.
Plan plan_of(const Case& one, MPI_Comm communicator);
void check_plan(const Case& one, Plan& plan, MPI_Comm communicator);

/// The plan's sides on that rank of the communicator.
Place input_place(const Plan& plan, int rank);
Place output_place(const Plan& plan, int rank);

}  // namespace weft::test
