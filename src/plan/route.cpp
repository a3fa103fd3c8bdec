// From a chain of legs to the passes and exchanges of both directions; backward is the chain
// reversed.
#include "plan/route.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "device/device.hpp"
#include "engine/engine.hpp"
#include "exchange/transport.hpp"
#include "option/option_rows.hpp"
#include "plan/chain.hpp"
#include "plan/columns.hpp"
#include "plan/in_place_route.hpp"
#include "plan/split_axes.hpp"
#include "plan/stages.hpp"

namespace weft {
namespace {

// Runs of fewer elements than this are too short to copy well: the next axis joins them.
constexpr Index shortest_run = 16;

// In larger arrays the elements of a line are too far apart if all other axes are faster than the
// line: a second-level TLB covers about this many bytes in small pages.
constexpr Index united_rows_bytes = 4 << 20;

/// Rows of a multiple of this many elements leave no lane empty at their ends. 1 where rows do not
/// unite: in large arrays, and beside a pass over planes, which transforms an axis of the rows too.
Index whole_run(const Stage& stage, const Element& element, const Box& box) {
  const bool unites =
      stage.steps.size() == 1 && box.volume() * element.bytes() <= united_rows_bytes;
  return unites ? most_lanes(element.precision) : 1;
}

/// The order of blocks beside a pass with lines along `line`, of a box in the memory order
/// `memory`. It puts `line` next to the fastest axes, so that for fixed outer indices a tile of the
/// pass is one stretch of memory. The next axis joins these while their run is short or not whole.
Order lines_together(int line, const Box& box, Index whole, const Order& memory) {
  std::vector<int> runs;
  Index length = 1;
  int position = memory.size() - 1;
  for (; position >= 0 && (length < shortest_run || length % whole != 0); --position) {
    if (memory[position] == line) continue;
    runs.insert(runs.begin(), memory[position]);
    length *= box.extent(memory[position]);
  }
  Order order;
  for (int p = 0; p <= position; ++p)
    if (memory[p] != line) order.push_back(memory[p]);
  order.push_back(line);
  for (int axis : runs) order.push_back(axis);
  return order;
}

/// The order is the same on all ranks, and suits the first one's box.
Order order_for_consumer(const Stage& after, const Order& memory) {
  if (after.steps.empty()) return after.to.order();
  const Box box = after.from.box(0);
  return lines_together(after.steps.front().axis, box, whole_run(after, after.input, box), memory);
}

Order order_for_producer(const Stage& before, const Order& memory) {
  if (before.steps.empty()) return before.from.order();
  const Box box = before.to.box(0);
  return lines_together(before.steps.back().axis, box, whole_run(before, before.output, box),
                        memory);
}

/// The number of axes that are faster than the lines: together they are rows of neighbouring lines.
/// Lines that are contiguous are rows themselves.
int axes_beside(int line, const Order& order) {
  const auto faster = order.end() - std::ranges::find(order, line) - 1;
  return std::max(1, static_cast<int>(faster));
}

Order with_fastest(Order order, int axis) {
  std::rotate(std::ranges::find(order, axis), std::ranges::find(order, axis) + 1, order.end());
  return order;
}

/// A column has one index of its slow axis, so this axis must not be the contiguous one.
Order with_slowest(Order order, int axis) {
  if (axis < 0) return order;
  std::rotate(order.begin(), std::ranges::find(order, axis), std::ranges::find(order, axis) + 1);
  return order;
}

std::vector<Geometry> make_geometries(const std::vector<Stage>& stages, const RouteRequest& request,
                                      const Order& memory) {
  const Options& options = request.options;
  const Ellipse ellipse = ellipse_of(request.transform);
  std::vector<Geometry> geometries;
  for (std::size_t e = 0; e + 1 < stages.size(); ++e) {
    const Stage& before = stages[e];
    const Stage& after = stages[e + 1];
    Geometry geometry;
    geometry.from = before.to;
    geometry.to = after.from;
    geometry.element = on_the_wire(before.output, options.wire);
    const ColumnAxes columns = column_axes(ellipse, spectral_axes(stages, e));
    const Order packed = options.pack_order == PackOrder::producer
                             ? order_for_producer(before, memory)
                             : order_for_consumer(after, memory);
    geometry.order = with_slowest(packed, columns.slow);
    if (!after.steps.empty())
      geometry.row_axes = axes_beside(after.steps.front().axis, geometry.order);
    geometry.kept = columns_inside(ellipse, geometry.from.global(), columns);
    geometries.push_back(std::move(geometry));
  }
  return geometries;
}

Route make_route(const std::vector<Leg>& legs, const RouteRequest& request, Direction direction,
                 const Topology& topology) {
  Route route = make_passes(legs, request, direction, topology);
  route.exchanges = make_geometries(route.stages, request, legs.front().physical.order());
  mark_contiguous_lines(route);
  choose_chunks_and_methods(route, request.options, direction, topology);
  return route;
}

void check_layout(const Layout& layout, const Shape& shape, int ranks, const char* which) {
  if (layout.global() != shape)
    throw Error(fmt::format("{} layout: its global shape is {}; this transform's is {}", which,
                            to_string(layout.global()), to_string(shape)));
  if (layout.ranks() != ranks)
    throw Error(fmt::format("{} layout: made for {} ranks; the communicator has {}", which,
                            layout.ranks(), ranks));
}

}  // namespace

bool can_travel(const Routes& routes, Wire wire) {
  for (const Route* route : {&routes.forward, &routes.backward})
    for (const Geometry& geometry : route->exchanges)
      if (route->in_result_array || !has_form(geometry.element, wire)) return false;
  return true;
}

bool is_alone(const Route& route) {
  return std::ranges::count(route.methods, &exchange_of_one_rank()) > 0;
}

Route make_round_trip(const Route& analysis, const Route& synthesis, const Options& options) {
  const auto transforms_some = [](const Stage& stage) { return !stage.steps.empty(); };
  const auto last = std::find_if(analysis.stages.rbegin(), analysis.stages.rend(), transforms_some);
  const auto first = std::ranges::find_if(synthesis.stages, transforms_some);
  if (first == synthesis.stages.end()) throw Error(no_spectrum);
  const auto there = analysis.stages.rend() - last - 1;
  const auto back = first - synthesis.stages.begin();

  Route route;
  route.setting = analysis.setting;
  route.rule = analysis.rule;
  route.source = analysis.source;
  route.target = synthesis.target;
  route.in_result_array = analysis.in_result_array;
  route.stages.assign(analysis.stages.begin(), analysis.stages.begin() + there);
  const Stage& before = analysis.stages[there];
  route.stages.push_back({fuse(before, *first), before.from, first->to});
  undo_deals(route.stages.back());
  route.stages.insert(route.stages.end(), first + 1, synthesis.stages.end());
  const auto append = [&](const Route& from, auto begin, auto end) {
    for (auto e = begin; e < end; ++e) {
      route.exchanges.push_back(from.exchanges[e]);
      route.methods.push_back(from.methods[e]);
    }
  };
  append(analysis, std::ptrdiff_t{0}, there);
  append(synthesis, back, std::ssize(synthesis.exchanges));
  cut_into_chunks(route, options);
  return route;
}

int fused_stage(const Route& route) {
  const auto fused =
      std::ranges::find_if(route.stages, [](const Stage& stage) { return stage.is_fused(); });
  return static_cast<int>(fused - route.stages.begin());
}

namespace {

void check_active_ranks(const Options& options, int ranks) {
  if (options.active_ranks > ranks)
    throw Error(fmt::format("active_ranks {}: valid are all, auto, and 1 to the {} ranks",
                            options.active_ranks, ranks));
}

/// The planner's layout of the physical array: on as many ranks as the options say, else on the
/// ranks of the spectrum if the caller gives its layout.
Layout chosen_layout(const RouteRequest& request, const Layout& spectral, int ranks) {
  const int asked = request.options.active_ranks;
  const bool follows = asked <= 0 && spectral.ranks() == ranks;
  const int positions = asked > 0 ? asked : follows ? spectral.positions() : ranks;
  return default_layout(request.transform, request.options, positions)
      .spread(ranks, follows ? spectral.stride_of_ranks() : 0);
}

Ends checked_ends(const RouteRequest& request, int ranks) {
  const Transform& transform = request.transform;
  const bool analysis = analysis_direction(transform) == Direction::forward;
  Ends ends{analysis ? request.input : request.output, analysis ? request.output : request.input};
  const OpenEnds open{ends.physical.ranks() == 0, ends.spectral.ranks() == 0};
  if (ends.physical.ranks() == 0) ends.physical = chosen_layout(request, ends.spectral, ranks);
  choose_open_ends(request, open, ends);
  if (ends.spectral.ranks() == 0 && request.options.output == OutputLayout::natural &&
      ends.physical.has_grid())
    ends.spectral = ends.physical.reshaped(transform.spectral_shape());
  check_layout(ends.physical, transform.shape, ranks, analysis ? "input" : "output");
  if (ends.spectral.ranks() > 0)
    check_layout(ends.spectral, transform.spectral_shape(), ranks, analysis ? "output" : "input");
  return ends;
}

/// The cheap memory order of a spectrum whose layout is the planner's. An engine that transforms
/// contiguous lines writes them as they are: after one exchange, the axis of the last transform is
/// the fastest. Kernels transform neighbouring lines, so the fastest axis stays the fastest, as the
/// last exchange delivers it. It also stays so after several exchanges: `shared` then needs one
/// window, not two, because the plan's own result array serves as the other.
Order spectral_order(const Transform& transform, const std::vector<Leg>& legs,
                     bool keeps_fastest_axis) {
  const auto stages = make_stages(legs, transform, Sense::analysis);
  const ColumnAxes columns =
      column_axes(ellipse_of(transform), spectral_axes(stages, stages.size() - 2));
  const Order order =
      with_slowest(order_for_consumer(stages.back(), legs.front().physical.order()), columns.slow);
  if (legs.size() > 2 || stages.back().steps.empty() || keeps_fastest_axis) return order;
  return with_fastest(order, stages.back().steps.front().axis);
}

/// Routes whose exchanges have buffers or windows of their own.
Routes make_buffered_routes(const RouteRequest& request, const Ends& ends, const Topology& topology,
                            const Caches& caches) {
  const Transform& transform = request.transform;
  // Gaps concern only the passes that read and write the caller's arrays.
  std::vector<Leg> legs = make_chain(transform, ends.physical.contiguous(),
                                     ends.spectral.contiguous(), request.axes, caches);
  if (ends.spectral.ranks() > 0)
    legs.back().spectral = ends.spectral.contiguous();
  else if (legs.size() > 1)
    legs.back().spectral = legs.back().spectral.ordered(
        spectral_order(transform, legs, find_engine(request.options.engine).has_kernels));

  CallerArray spectral{ends.spectral.ranks() > 0 ? ends.spectral : legs.back().spectral, {}};
  if (transform.dropped == Dropped::zero) {
    spectral.modes = mode_maps(transform);
    legs = in_kept_indices(transform, std::move(legs));
  }
  return in_both_directions(transform, {ends.physical, {}}, spectral, [&](Direction direction) {
    return make_route(legs, request, direction, topology);
  });
}

void check_engine(const Transform& transform, const Options& options) {
  const Engine& engine = find_engine(options.engine);
  if (!works_on(engine, options.device))
    throw Error(fmt::format("engine {}: it does not work with device={}; valid there are auto, {}",
                            engine.name, options.device,
                            fmt::join(engine_names_on(options.device), ", ")));
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    if (transform.kinds[axis] != Kind::none)
      for (Sense sense : {Sense::analysis, Sense::synthesis})
        require_support(engine, line_kind(transform.kinds[axis], sense), transform.precision);
}

}  // namespace

Routes make_routes(const RouteRequest& request, const Topology& topology, const Caches& caches) {
  const Transform& transform = request.transform;
  const Options& options = request.options;
  validate(transform);
  check_options(options);
  check_engine(transform, options);
  if (transform.element_bytes > 0 && options.verify)
    throw Error(
        fmt::format("verify: elements of {} bytes have no sums; valid with them is verify=0",
                    transform.element_bytes));

  check_active_ranks(options, topology.ranks());
  const Ends ends = checked_ends(request, topology.ranks());
  const Caches own = device_caches(options, caches);
  if (const auto split = split_axes(request, ends)) {
    if (works_in_result_array(options))
      throw Error(fmt::format(
          "exchange {}: arrays with split axes are not exchanged in the result's array; valid are "
          "other methods, for example auto",
          options.exchange));
    Routes routes = make_buffered_routes(split->request, split->ends, topology, own);
    routes.axes = split->request.axes;
    const bool analysis = analysis_direction(transform) == Direction::forward;
    routes.input = analysis ? ends.physical : ends.spectral;
    routes.output = analysis ? ends.spectral : ends.physical;
    return routes;
  }
  if (works_in_result_array(options)) return make_in_place_routes(request, ends, topology, own);
  if (auto routes = make_routes_of_one_rank(request, ends, topology, own)) return *routes;
  return make_buffered_routes(request, ends, topology, own);
}

}  // namespace weft
