// The libraries that Weft's transforms are measured against; modules, as modules.hpp says.
#pragma once

#include "bench/candidate.hpp"

namespace weft::bench {

/// "fftw-mpi" and "mkl".
const std::vector<std::string>& rival_names();

/// A rival's module in this process, or why it is not.
struct RivalModule {
  std::string name;
  MakeRival* make = nullptr;
  std::string unavailable;
};

/// Opens a module. To be done before anything else may load MKL: names that MKL has exported to all
/// by then would win over those that belong to the module. Collective.
RivalModule open_rival(const std::string& name, MPI_Comm communicator);

/// A rival with its candidates planned, or with none and the reason in `unavailable`.
struct PlannedRival : Rival {
  std::string name;
  std::string unavailable;
};

/// Collective.
PlannedRival plan_rival(const RivalModule& module, const Problem& problem);

}  // namespace weft::bench
