// A transpose by one of Weft's exchange methods: a plan that transforms nothing.
#pragma once

#include <weft/plan.hpp>

#include "exchange/transposer.hpp"

namespace weft::bench {

class WeftTransposer final : public Transposer {
 public:
  WeftTransposer(const Matrix& matrix, const Options& options);
  void run() override { plan_.forward(matrix_.in, matrix_.out); }
  const Plan& plan() const { return plan_; }

 private:
  Matrix matrix_;
  Plan plan_;
};

}  // namespace weft::bench
