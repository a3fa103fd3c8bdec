// What `weft exchange` measures: anything that turns rows spread over ranks into columns spread
// over them, Weft's methods and outside libraries alike. Header only, because outside libraries are
// modules of their own.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <weft/box.hpp>
#include <weft/error.hpp>

namespace weft::bench {

/// This rank's share of a square matrix, of which every rank has as many rows, and then columns.
struct Matrix {
  MPI_Comm communicator = MPI_COMM_NULL;
  int ranks = 1;
  Index side = 0;         ///< a multiple of the number of ranks
  Index width = 1;        ///< doubles in an element; 1 for outside libraries
  double* in = nullptr;   ///< rows, one after another
  double* out = nullptr;  ///< columns, one after another

  Index lines() const { return side / ranks; }
  Index size() const { return side * lines() * width; }
};

/// One way to do it. Made, run and destroyed by all ranks together.
class Transposer {
 public:
  virtual ~Transposer() = default;
  /// From `in` to `out`, which were passed on making. It may destroy the input.
  virtual void run() = 0;
  /// True for what only moves the elements between ranks, and leaves each rank's columns as parts
  /// of rows.
  virtual bool keeps_rows() const { return false; }
};

/// What a module exports as `extern "C" weft_bench_transposer`: makes the one of that name. Throws
/// an `Error`, on all ranks, where it cannot.
using MakeTransposer = void(const std::string& name, const Matrix& matrix,
                            std::unique_ptr<Transposer>& made);

}  // namespace weft::bench
