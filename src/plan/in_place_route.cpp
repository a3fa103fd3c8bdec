// A chain with as few exchanges as possible, because each of them sweeps over the array once more.
#include "plan/in_place_route.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/columns.hpp"

namespace weft {
namespace {

[[noreturn]] void refuse(const Options& options, const std::string& what,
                         const std::string& valid) {
  throw Error(fmt::format("exchange {}: {}; valid {}", options.exchange, what, valid));
}

/// Slabs along one of the two slowest axes, that `axis` is not split along.
Layout swap_slowest(const Options& options, const Layout& layout, const Shape& shape, int axis) {
  const Order& order = layout.order();
  if (order.size() < 2) refuse(options, "the only axis is split", "are arrays of two axes or more");
  return Layout::slabs(shape, layout.positions(), axis == order[0] ? order[1] : order[0])
      .spread(layout.ranks(), layout.stride_of_ranks())
      .ordered(order);
}

std::vector<Leg> make_legs(const RouteRequest& request, const Ends& ends, const Caches& caches) {
  LocalTransforms left(request.transform, caches);
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

/// Throws if the passes cannot all work on one array.
void check(const RouteRequest& request, const Ends& ends, const std::vector<Stage>& stages) {
  const Options& options = request.options;
  const auto refuse_dropping = [&] { refuse(options, "modes are dropped", "is to keep them all"); };
  for (const Stage& stage : stages) {
    if (stage.input != stage.output)
      refuse(options, "real data become complex, or complex ones real",
             "are kinds that keep the type: c2c, or DCTs and DSTs of reals");
    if (!stage.from.has_boxes_of(stage.to)) refuse_dropping();
  }
  if (request.transform.dropped == Dropped::zero) refuse_dropping();
  const Ellipse ellipse = ellipse_of(request.transform);
  for (std::size_t e = 0; e + 1 < stages.size(); ++e) {
    if (column_axes(ellipse, spectral_axes(stages, e)).slow >= 0) refuse_dropping();
    if (on_the_wire(stages[e].output, options.wire).wire != Wire::exact)
      refuse(options, "numbers are shorter on the wire than in the array", "is wire=exact");
  }
  if (ends.physical.has_gaps() || ends.spectral.has_gaps())
    refuse(options, "an array has gaps between its elements", "are contiguous layouts");
}

/// Blocks have the array's order, and lie across chunks, so they travel together.
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
  choose_methods(route, request.options, direction, topology);
  return route;
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
  const Transform& transform = request.transform;
  const std::vector<Leg> legs = make_legs(request, ends, caches);
  check(request, ends, make_stages(legs, transform, Sense::analysis));
  const Order& before = legs.front().physical.order();
  const Order& after = legs.back().spectral.order();
  if (before != after)
    refuse(request.options,
           fmt::format("the arrays' memory orders are {} and {}", fmt::join(before, " "),
                       fmt::join(after, " ")),
           "is the same order for both");
  return in_both_directions(
      transform, {ends.physical, {}},
      {ends.spectral.ranks() > 0 ? ends.spectral : legs.back().spectral, {}},
      [&](Direction direction) { return make_route(legs, request, direction, topology); });
}

}  // namespace weft
