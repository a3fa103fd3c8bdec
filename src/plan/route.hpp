// The ordered passes and exchanges of a transform: a pure function of layouts, transform, options
// and topology, computable for any number of ranks without MPI.
#pragma once

#include <algorithm>
#include <string>
#include <vector>
#include <weft/layout.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

#include "exchange/exchange.hpp"
#include "machine/caches.hpp"
#include "pass/computation.hpp"
#include "plan/local_transforms.hpp"
#include "plan/schedule.hpp"
#include "transform/parseval.hpp"

namespace weft {

/// A pass: its computation, and the layouts of its data before and after, in kept indices.
struct Stage : Computation {
  Layout from;
  Layout to;
};

/// One of the caller's arrays: its layout and, if that has room for dropped modes, the kept modes.
struct CallerArray {
  Layout layout;
  PerAxis<ModeMap> modes;  ///< empty: all of it
};

/// One direction of a plan. exchanges[e] lies between stages[e] and stages[e + 1].
struct Route {
  std::vector<Stage> stages;
  std::vector<Geometry> exchanges;
  std::vector<const ExchangeMethod*> methods;
  ExchangeSetting setting;
  ScheduleRule rule;
  CallerArray source;
  CallerArray target;
  /// Exchanges and passes work in the result's array; see in_place_route.hpp.
  bool in_result_array = false;
};

/// Both directions, and the planner's choices where the caller made none.
struct Routes {
  Layout input;
  Layout output;
  Element input_element;
  Element output_element;
  std::vector<SplitAxis> axes;  ///< by axis of the caller; empty if no axis is split
  Route forward;
  Route backward;

  const Route& of(Direction direction) const {
    return direction == Direction::forward ? forward : backward;
  }
};

/// The caller's request; the planner chooses layouts that have no axes.
struct RouteRequest {
  Transform transform;
  Options options;
  Layout input;
  Layout output;
  /// Only the planner fills this: then the transform's axes are those of a route. By axis of the
  /// caller.
  std::vector<SplitAxis> axes = {};
};

/// Replaces chunks and methods, which need no new layouts, according to these options.
void choose_chunks_and_methods(Route& route, const Options& options, Direction direction,
                               const Topology& topology);
void choose_methods(Route& route, const Options& options, Direction direction,
                    const Topology& topology);
/// Sets the chunks of a route's exchanges.
void cut_into_chunks(Route& route, const Options& options);

constexpr Direction reverse(Direction direction) {
  return direction == Direction::forward ? Direction::backward : Direction::forward;
}

/// Converts a list with one entry per exchange from forward's order to a direction's order, or
/// back. Backward goes through the same list from its end.
template <class List>
List in_order_of(Direction direction, List list) {
  if (direction == Direction::backward) std::ranges::reverse(list);
  return list;
}

/// Whether every exchange of a plan can send its numbers in this form.
bool can_travel(const Routes& routes, Wire wire);

/// To the spectrum and back in one chain; the stage in the middle is fused.
/// `analysis` and `synthesis` are the two directions of a plan with those options.
inline constexpr const char* no_spectrum =
    "apply: the plan transforms no axis, so there is no spectrum";
Route make_round_trip(const Route& analysis, const Route& synthesis, const Options& options);
/// The fused stage of a round trip.
int fused_stage(const Route& route);

/// `caches`: the caches of the host; a device's caches are known by the device's name. Throws
/// `Error` if the request is invalid.
Routes make_routes(const RouteRequest& request, const Topology& topology, const Caches& caches);

/// Whether the route is of one rank that works in its result's array: nothing moves.
bool is_alone(const Route& route);

}  // namespace weft
