// How everything in `weft net` is timed: some steps in a row without barriers between them, the
// mean of those on the rank that took longest. Steps that end too soon for the clock are many.
#pragma once

#include <mpi.h>

#include <functional>

namespace weft::net {

using Step = std::function<void()>;

/// Seconds per step of so many, from a barrier on, on the rank that took longest. Collective.
double seconds_per_step(MPI_Comm communicator, int steps, const Step& step);

/// Runs the step to warm up, and finds how many of it make a sample that the clock can time; the
/// same on all ranks. Collective.
int steps_for(MPI_Comm communicator, const Step& step);

}  // namespace weft::net
