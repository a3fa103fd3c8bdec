// The libraries that Weft's transforms are compared with; they are modules, see modules.hpp.
#pragma once

#include "bench/candidate.hpp"

namespace weft::bench {

/// "fftw-mpi", "cufft" and "mkl".
std::vector<std::string> rival_names();

/// A rival with its candidates planned, or with none and the reason in `unavailable`.
struct PlannedRival : Rival {
  std::string name;
  MakeRival* make = nullptr;
  std::string unavailable;

  /// Collective.
  void plan(const Problem& problem);
};

/// Opens the module. Must be done before anything else may load MKL: once MKL has exported its
/// names globally, they would replace the module's own. Collective.
PlannedRival open_rival(const std::string& name, MPI_Comm communicator);

}  // namespace weft::bench
