// Weft as a candidate: a plan, run between its own arrays, between the user's arrays, or in place.
#pragma once

#include <type_traits>
#include <utility>
#include <weft/plan.hpp>

#include "bench/candidate.hpp"

namespace weft::bench {

enum class Between { plan_arrays, user_arrays, in_place };

class WeftCandidate : public Candidate {
 public:
  explicit WeftCandidate(Plan plan) : plan_(std::move(plan)) {}
  /// Transforms from the output back to the input.
  virtual void run_backward() = 0;
  Plan& plan() { return plan_; }
  /// How long this rank took to make the plan.
  double planning_seconds() const { return planning_seconds_; }
  void set_planning_seconds(double seconds) { planning_seconds_ = seconds; }

 protected:
  template <class T>
  Field field_of(T* data, const Layout& layout, const Box& box) const {
    return {data,
            plan_.transform().precision,
            std::is_floating_point_v<T>,
            box,
            strides_of(box.extents(), layout.order()),
            index_lists(layout, plan_.rank())};
  }

  Plan plan_;

 private:
  double planning_seconds_ = 0;
};

/// Makes the plan; with its own arrays, the plan may assume that it gets no others. Collective.
std::unique_ptr<WeftCandidate> weft_candidate(MPI_Comm communicator, const Transform& transform,
                                              Options options, Between between);

/// Solves laplace(u) = f on a periodic box, by Plan::apply (`fused`), or by forward, a sweep over
/// the spectrum and backward, in the plan's own arrays. Collective.
std::unique_ptr<WeftCandidate> poisson_candidate(MPI_Comm communicator, const Transform& transform,
                                                 Options options, bool fused);

}  // namespace weft::bench
