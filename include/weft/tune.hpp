// Searches for the fastest options of a transform, as `weft tune` and Options::effort=measure do.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>
#include <weft/export.hpp>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

namespace weft {

/// One set of options that was tried.
struct Trial {
  Options options;               ///< sufficient to make the same plan again
  double predicted_seconds = 0;  ///< by the model; per forward
  double measured_seconds = 0;   ///< the median of a few runs; 0 if the plan could not run
  std::string failure;           ///< why the plan could not run; empty if it did
};

/// Runs whole transforms for about `seconds`: first with the options that a model of this machine
/// ranks first, then with variations of the best. Options that `options` already sets stay as they
/// are, and so do layouts that are given. The best options are kept as wisdom, for later plans of
/// the same transform, options and number of ranks. Returns all trials, the best first. `report` is
/// called after each trial, on every rank. Collective; throws the same Error on every rank where a
/// plan with these arguments would.
WEFT_API std::vector<Trial> tune(MPI_Comm communicator, const Transform& transform,
                                 const Options& options, double seconds,
                                 const std::function<void(const Trial&)>& report = {},
                                 const Layout& input = Layout(), const Layout& output = Layout());

}  // namespace weft
