// The transposers there are: Weft's exchange methods, and what they are measured beside.
#pragma once

#include <string>
#include <vector>
#include <weft/plan.hpp>

#include "exchange/transposer.hpp"

namespace weft::bench {

/// A plan that transforms nothing, from the matrix as slabs of rows to slabs of columns with those
/// contiguous; packing included, since that is what a transform waits for.
class WeftTransposer final : public Transposer {
 public:
  /// With Options::arrays = plan it puts the plan's arrays into `matrix`.
  WeftTransposer(Matrix& matrix, const Options& options);
  void run() override { plan_.forward(in_, out_); }
  const Plan& plan() const { return plan_; }

 private:
  Plan plan_;
  double* in_;
  double* out_;
};

/// MPI_Alltoall as it is, with nothing packed: for one row on each rank.
class PlainTransposer final : public Transposer {
 public:
  explicit PlainTransposer(const Matrix& matrix) : matrix_(matrix) {}
  void run() override;

 private:
  Matrix matrix_;
};

/// Outside libraries: "fftw-mpi", "pdgemr2d" and "pdtran".
std::vector<std::string> baseline_names();
/// True where this build has it.
bool has_baseline(const std::string& name);
/// Collective. Throws an Error on all ranks where it is not there, or cannot.
std::unique_ptr<Transposer> make_baseline(const std::string& name, const Matrix& matrix);

/// Runs it once, on elements that tell where they belong. Collective. Throws an Error on all ranks
/// unless every element gets there.
void check_transposer(const std::string& name, const Matrix& matrix, Transposer& transposer);

}  // namespace weft::bench
