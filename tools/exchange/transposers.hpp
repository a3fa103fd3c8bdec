// All transposers: Weft's exchange methods and what they are compared with.
#pragma once

#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "exchange/transposer.hpp"

namespace weft::bench {

/// A plan that transforms nothing, from slabs of rows to slabs of columns with contiguous columns.
/// It includes packing, since a transform waits for that too.
class WeftTransposer final : public Transposer {
 public:
  /// With Options::arrays = plan it stores the addresses of the plan's arrays in `matrix`.
  WeftTransposer(Matrix& matrix, const Options& options);
  void run() override { plan_.forward(in_, out_); }
  const Plan& plan() const { return plan_; }

 private:
  Plan plan_;
  double* in_;
  double* out_;
};

/// Plain MPI_Alltoall, without packing: for one row on each rank.
class PlainTransposer final : public Transposer {
 public:
  explicit PlainTransposer(const Matrix& matrix) : matrix_(matrix) {}
  void run() override;

 private:
  Matrix matrix_;
};

/// Other libraries: "fftw-mpi", "pdgemr2d" and "pdtran".
std::vector<std::string> baseline_names();
/// True if this build has it.
bool has_baseline(const std::string& name);
/// Collective. Throws an Error on all ranks if it is missing or cannot run.
std::unique_ptr<Transposer> make_baseline(const std::string& name, const Matrix& matrix);

/// Runs it once, on elements that encode their destination. Collective. Throws an Error on all
/// ranks unless every element arrives there.
void check_transposer(const std::string& name, const Matrix& matrix, Transposer& transposer);

}  // namespace weft::bench
