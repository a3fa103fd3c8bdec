// The interface of transposers, which `weft exchange` measures: they turn rows distributed over
// ranks into columns, by Weft's methods or other libraries. Header only, because other libraries
// are separate modules.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <weft/box.hpp>
#include <weft/error.hpp>

namespace weft::bench {

/// This rank's share of a square matrix: the same number of rows on every rank, and then of
/// columns.
struct Matrix {
  MPI_Comm communicator = MPI_COMM_NULL;
  int ranks = 1;
  Index side = 0;         ///< a multiple of the number of ranks
  Index width = 1;        ///< doubles per element; 1 for other libraries
  double* in = nullptr;   ///< rows, one after another
  double* out = nullptr;  ///< columns, one after another

  Index lines() const { return side / ranks; }
  Index size() const { return side * lines() * width; }
};

/// A method's costs besides time, on the rank with the highest cost.
struct Cost {
  double workspace_bytes = 0;  ///< requested by the method, including the passes' tiles
  double sent_bytes = 0;
  double messages = 0;
};

/// One implementation. Made, run and destroyed by all ranks together.
class Transposer {
 public:
  virtual ~Transposer() = default;
  /// From `in` to `out`, as passed when it was made. It may destroy the input.
  virtual void run() = 0;
  /// True if it only moves the elements between ranks, and each rank's columns remain parts of
  /// rows.
  virtual bool keeps_rows() const { return false; }
  /// Only Weft's methods know it. Collective.
  virtual std::optional<Cost> cost() const { return {}; }
};

/// The function that a module exports as `extern "C" weft_bench_transposer`: makes the transposer
/// of this name. Throws an `Error`, on all ranks, if it cannot.
using MakeTransposer = void(const std::string& name, const Matrix& matrix,
                            std::unique_ptr<Transposer>& made);

}  // namespace weft::bench
