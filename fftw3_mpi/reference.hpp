// FFTW's result beside Weft's, for WEFT_FFTW=check: on copies, because FFTW may destroy its input.
#pragma once

#include <functional>
#include <memory>

#include "problem.hpp"

namespace weft::fftw {

/// FFTW's transform of the same problem, with arrays of its own.
class Reference {
 public:
  /// Not yet usable. Collective.
  Reference(const Translation& translation, bool in_place, MPI_Comm communicator);

  Real* input() { return input_.get(); }
  Real* result() { return in_place_ ? input_.get() : output_.get(); }
  /// How FFTW transforms `input` to `result`.
  void run_by(std::function<void()> run) { run_ = std::move(run); }
  /// Transforms a copy of this input. Collective.
  void compute(const void* in);
  /// Ends the job, naming the plan, unless `out`, which Weft's plan has computed, is FFTW's result
  /// up to rounding. Collective.
  void compare(const void* out, const std::string& name, const Plan& weft_plan);

 private:
  Translation translation_;
  bool in_place_;
  int rank_ = 0;
  std::shared_ptr<Real> input_;
  std::shared_ptr<Real> output_;
  std::function<void()> run_;
};

}  // namespace weft::fftw
