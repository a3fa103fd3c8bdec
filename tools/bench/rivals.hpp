// The libraries that Weft's transforms are measured against; modules, as modules.hpp says.
#pragma once

#include "bench/candidate.hpp"

namespace weft::bench {

/// "fftw-mpi" and "mkl".
std::vector<std::string> rival_names();

/// A rival with its candidates planned, or with none and the reason in `unavailable`.
struct PlannedRival : Rival {
  std::string name;
  MakeRival* make = nullptr;
  std::string unavailable;

  /// Collective.
  void plan(const Problem& problem);
};

/// Opens a module. To be done before anything else may load MKL: names that MKL has exported to all
/// by then would win over those that belong to the module. Collective.
PlannedRival open_rival(const std::string& name, MPI_Comm communicator);

}  // namespace weft::bench
