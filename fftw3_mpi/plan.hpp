// Plans that the drop-in hands out: Weft's where Weft can compute the transform, else FFTW's.
#pragma once

#include <functional>

#include "problem.hpp"

namespace weft::fftw {

class OwnPlan;

/// Makes the same plan with FFTW, for other arrays; none where there is no FFTW.
using RealPlanner = std::function<PlanPointer(void* in, void* out)>;

/// Collective. The plan runs on Weft unless the user or the problem speaks against it; then it is
/// FFTW's, or null where there is no FFTW.
PlanPointer make_plan(const Problem& problem, void* in, void* out, MPI_Comm communicator,
                      const RealPlanner& real_planner);

/// The plan if it is one of Weft's, else null. Plans of FFTW begin with the address of an object of
/// FFTW's, plans of Weft with the address of a variable here. This needs no list of plans, no lock.
OwnPlan* own(PlanPointer plan);

/// Runs it on the arrays that it was made for. Collective.
void execute(OwnPlan& plan);
/// Runs it on other arrays. Collective.
void execute(OwnPlan& plan, void* in, void* out);
/// Collective before MPI_Finalize, as with FFTW-MPI, whose plans free a communicator.
void destroy(OwnPlan* plan);
/// Text for people.
std::string describe(const OwnPlan& plan);
/// Additions and multiplications of this rank, by the usual estimate of 5 N log2 N.
double operations(const OwnPlan& plan);

}  // namespace weft::fftw
