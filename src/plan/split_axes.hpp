// Axes that a plan splits in two, n = p m, so that ranks share one axis. Index s + p j of the
// points is the pair (j, s), index k + m q of the spectrum the pair (q, k): transforms along j give
// k, and after a twiddle transforms along s give q. To the caller both are one axis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/stages.hpp"

namespace weft {

/// The ends for which the caller has given no layout.
struct OpenEnds {
  bool physical = false;
  bool spectral = false;
};

/// Changes the layouts of open ends: cyclic where the other end is, and blocks that fit a split
/// where ranks share a single axis. The layout of the physical end is given or has a proposal.
void choose_open_ends(const RouteRequest& request, const OpenEnds& open, Ends& ends);

/// A request for arrays whose axes are those of the route, and its ends.
struct SplitRequest {
  RouteRequest request;  ///< without layouts
  Ends ends;
};

/// Empty if no axis has to be split. Throws if the layouts want a split that the axis does not
/// have.
std::optional<SplitRequest> split_axes(const RouteRequest& request, const Ends& ends);

/// Gives the steps along split axes their twiddles and orders of modes.
void join_steps(const std::vector<SplitAxis>& axes, std::vector<Stage>& stages);

/// A fused stage returns to the points, so its last step may leave modes in the order of lines.
void undo_deals(Stage& fused);

/// The wavenumbers that a function sees in a stage that is fused along `fused_axis`. `transform`:
/// the caller's.
WavenumberTable wavenumber_table(const Transform& transform, const std::vector<SplitAxis>& axes,
                                 int fused_axis);

/// For people: "axis 0 of 64 as axes 0 of 16 and 1 of 4"; empty if no axis is split.
std::string to_string(const std::vector<SplitAxis>& axes);

}  // namespace weft
