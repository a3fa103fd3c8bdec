// Arrays in the memory of a plan's device, filled and read back through the plan.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "cases/local_array.hpp"
#include "cases/run_case.hpp"
#include "support/ranks.hpp"

namespace weft::test {

/// Which devices are tested: emulated ones, or the one that WEFT_TEST_DEVICE names.
inline std::vector<std::string> devices() {
  if (const char* const named = std::getenv("WEFT_TEST_DEVICE")) return {named};
  return {"emulated", "emulated-lazy"};
}

inline Options options_for(const std::string& device, const std::string& exchange = "auto") {
  Options options;
  options.device = device;
  options.exchange = exchange;
  options.engine_effort = EngineEffort::estimate;
  return options;
}

/// Arrays of a plan in the memory of its device, and what they should hold.
class DeviceArrays {
 public:
  using Complex = std::complex<double>;

  DeviceArrays(Plan& plan, std::uint64_t seed)
      : plan_(plan),
        truth_(truth_of(plan.transform(), seed)),
        in_(plan.make_input<Complex>()),
        out_(plan.make_output<Complex>()) {
    std::vector<Complex> values(static_cast<std::size_t>(plan.input_size()));
    fill(values.data(), input_place(plan, plan.rank()), truth_->input);
    plan.copy(in_.data(), values.data(), values.size() * sizeof(Complex));
  }

  const Array<Complex>& in() const { return in_; }
  Array<Complex>& out() { return out_; }

  /// The relative error on all ranks of MPI_COMM_WORLD; not a number if some result is none.
  double error() const {
    std::vector<Complex> values(static_cast<std::size_t>(plan_.output_size()));
    plan_.copy(values.data(), out_.data(), values.size() * sizeof(Complex));
    const Deviation found =
        deviation(values.data(), output_place(plan_, plan_.rank()), truth_->output);
    double sums[2] = {found.error_squared, found.norm_squared};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return std::sqrt(sums[0] / sums[1]);
  }
  bool is_right() const { return error() <= error_bound(plan_.transform()); }

 private:
  Plan& plan_;
  std::shared_ptr<const TruthPair> truth_;
  Array<Complex> in_;
  Array<Complex> out_;
};

/// Transforms of several arrays, one after another and with nothing waited for in between, are
/// right.
inline void expect_right_transforms(Plan& plan, std::uint64_t count = 2) {
  std::vector<DeviceArrays> arrays;
  for (std::uint64_t seed = 1; seed <= count; ++seed) arrays.emplace_back(plan, seed);
  for (DeviceArrays& one : arrays) plan.forward(one.in(), one.out());
  for (const DeviceArrays& one : arrays) EXPECT_TRUE(one.is_right()) << one.error();
}

}  // namespace weft::test
