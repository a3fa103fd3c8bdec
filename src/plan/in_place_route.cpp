// A chain with as few exchanges as possible, because each of them sweeps over the array once more.
#include "plan/in_place_route.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "device/device.hpp"
#include "plan/columns.hpp"

namespace weft {
namespace {

/// A property of a request that keeps passes from working in the result's array.
struct Obstacle {
  std::string what;
  std::string valid;
};

[[noreturn]] void refuse(const Options& options, const Obstacle& obstacle) {
  throw Error(
      fmt::format("exchange {}: {}; valid {}", options.exchange, obstacle.what, obstacle.valid));
}

/// Slabs along one of the two slowest axes, that `axis` is not split along.
Layout swap_slowest(const Options& options, const Layout& layout, const Shape& shape, int axis) {
  const Order& order = layout.order();
  if (order.size() < 2)
    refuse(options, {"the only axis is split", "are arrays of two axes or more"});
  return Layout::slabs(shape, layout.positions(), axis == order[0] ? order[1] : order[0])
      .spread(layout.ranks(), layout.stride_of_ranks())
      .ordered(order);
}

std::vector<Leg> make_legs(const RouteRequest& request, const Ends& ends, const Caches& caches) {
  LocalTransforms left(request.transform, request.axes, caches);
  std::vector<Leg> legs = left.walk(ends.physical.contiguous(), [&](const Layout& current) {
    if (left.has_local(current)) return current;
    return swap_slowest(request.options, current, left.shape(), left.next_absent(current));
  });
  if (ends.spectral.ranks() == 0) return legs;
  const Layout target = ends.spectral.contiguous();
  if (!target.has_boxes_of(legs.back().spectral)) legs.push_back({target, target, {}});
  legs.back().spectral = target;
  return legs;
}

const Obstacle dropping{"modes are dropped", "is to keep them all"};

std::optional<Obstacle> find_obstacle(const RouteRequest& request, const Ends& ends,
                                      const std::vector<Leg>& legs) {
  const std::vector<Stage> stages = make_stages(legs, request.transform, Sense::analysis);
  for (const Stage& stage : stages) {
    if (stage.input != stage.output)
      return Obstacle{"real data become complex, or complex ones real",
                      "are kinds that keep the type: c2c, or DCTs and DSTs of reals"};
    if (!stage.from.has_boxes_of(stage.to)) return dropping;
  }
  if (request.transform.dropped == Dropped::zero) return dropping;
  const Ellipse ellipse = ellipse_of(request.transform);
  for (std::size_t e = 0; e + 1 < stages.size(); ++e) {
    if (column_axes(ellipse, spectral_axes(stages, e)).slow >= 0) return dropping;
    if (on_the_wire(stages[e].output, request.options.wire).wire != Wire::exact)
      return Obstacle{"numbers are shorter on the wire than in the array", "is wire=exact"};
  }
  if (ends.physical.has_gaps() || ends.spectral.has_gaps())
    return Obstacle{"an array has gaps between its elements", "are contiguous layouts"};
  const Order& before = legs.front().physical.order();
  const Order& after = legs.back().spectral.order();
  if (before != after)
    return Obstacle{fmt::format("the arrays' memory orders are {} and {}", fmt::join(before, " "),
                                fmt::join(after, " ")),
                    "is the same order for both"};
  return {};
}

/// Whether the passes behind the first one are as fast in the result's array as in a window, whose
/// rows are an odd number of cache lines apart. Only Weft's kernels have been measured, on Cascade
/// Lake: complex cubes of 128 and 256 take 0.93 and 0.92 of the time, but DCTs 1.25, and long lines
/// whose elements meet in the same sets of the caches 1.3.
bool is_fast_on_host(const std::vector<Stage>& stages) {
  constexpr Index colliding_bytes = 4096, long_line = 2048;
  for (std::size_t s = 1; s < stages.size(); ++s) {
    const Stage& stage = stages[s];
    const Layout& layout = stage.from;
    const auto strides = byte_strides(layout.box(0).extents(), layout.order(), stage.input.bytes());
    if (stage.input.real) return false;
    for (const Step& step : stage.steps)
      if (step.length > long_line && strides[step.axis] % colliding_bytes == 0) return false;
  }
  return true;
}

/// Blocks have the array's order, and lie across chunks, so they travel together. The methods are
/// still open.
Route make_route(const std::vector<Leg>& legs, const RouteRequest& request, Direction direction,
                 const Topology& topology) {
  Route route = make_passes(legs, request, direction, topology);
  route.in_result_array = true;
  for (std::size_t e = 0; e + 1 < route.stages.size(); ++e) {
    Geometry geometry;
    geometry.from = route.stages[e].to;
    geometry.to = route.stages[e + 1].from;
    geometry.order = geometry.from.order();
    geometry.element = route.stages[e].output;
    route.exchanges.push_back(std::move(geometry));
  }
  mark_contiguous_lines(route);
  return route;
}

/// `choose`: sets the methods of a route of that direction.
template <class Choose>
Routes make_routes_of(const std::vector<Leg>& legs, const RouteRequest& request, const Ends& ends,
                      const Topology& topology, const Choose& choose) {
  return in_both_directions(request.transform, {ends.physical, {}},
                            {ends.spectral.ranks() > 0 ? ends.spectral : legs.back().spectral, {}},
                            [&](Direction direction) {
                              Route route = make_route(legs, request, direction, topology);
                              choose(route, direction);
                              return route;
                            });
}

}  // namespace

bool works_in_result_array(const Options& options) {
  const std::vector<std::string> methods = exchange_list(options.exchange);
  const auto works_in_it = [](const std::string& name) {
    return name != "auto" && find_exchange(name).traits.in_result_array;
  };
  if (std::ranges::none_of(methods, works_in_it)) return false;
  const auto other = std::ranges::find_if_not(methods, works_in_it);
  if (other != methods.end())
    throw Error(
        fmt::format("exchange {}: {} does not work in the result's array, as another does; "
                    "valid are methods that all do, or none",
                    options.exchange, *other));
  return true;
}

Routes make_in_place_routes(const RouteRequest& request, const Ends& ends, const Topology& topology,
                            const Caches& caches) {
  const std::vector<Leg> legs = make_legs(request, ends, caches);
  if (const auto obstacle = find_obstacle(request, ends, legs)) refuse(request.options, *obstacle);
  return make_routes_of(legs, request, ends, topology, [&](Route& route, Direction direction) {
    choose_methods(route, request.options, direction, topology);
  });
}

std::optional<Routes> make_routes_of_one_rank(const RouteRequest& request, const Ends& ends,
                                              const Topology& topology, const Caches& caches) {
  const Options& options = request.options;
  const bool is_open =
      options.exchange == "auto" && options.producer_chunks == 0 && options.consumer_chunks == 0;
  if (topology.ranks() > 1 || !is_open) return {};
  const std::vector<Leg> legs = make_legs(request, ends, caches);
  if (find_obstacle(request, ends, legs)) return {};
  const bool is_fast = !is_host_device(options.device) ||
                       (find_engine(options.engine).has_kernels &&
                        is_fast_on_host(make_stages(legs, request.transform, Sense::analysis)));
  if (!is_fast) return {};
  return make_routes_of(legs, request, ends, topology, [](Route& route, Direction) {
    route.methods.assign(route.exchanges.size(), &exchange_of_one_rank());
  });
}

}  // namespace weft
