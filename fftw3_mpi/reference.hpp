// FFTW's result beside Weft's, for WEFT_FFTW=check: on copies, because FFTW may destroy its input.
#pragma once

#include <memory>

#include "plan.hpp"

namespace weft::fftw {

/// A plan of FFTW for the same transform, with arrays of its own.
class Reference {
 public:
  /// Not yet usable. Collective.
  Reference(const Translation& translation, bool in_place, MPI_Comm communicator);
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// False where FFTW makes no plan. Collective.
  bool plan(const RealPlanner& planner);
  /// Transforms a copy of this input. Collective.
  void compute(const void* in);
  /// Ends the job, naming the plan, unless `out`, which Weft's plan has computed, is FFTW's result
  /// up to rounding. Collective.
  void compare(const void* out, const std::string& name, const Plan& weft_plan);

 private:
  Real* result() { return in_place_ ? input_.get() : output_.get(); }

  Translation translation_;
  bool in_place_;
  int rank_ = 0;
  std::shared_ptr<Real> input_;
  std::shared_ptr<Real> output_;
  PlanPointer plan_ = nullptr;
};

}  // namespace weft::fftw
