// Chunks and exchange methods, which can change in a route while its layouts stay the same.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/route.hpp"

namespace weft {
namespace {

bool transforms(const Stage& stage, int axis) {
  return std::ranges::any_of(stage.steps, [&](const Step& step) { return step.axis == axis; });
}

/// The number of consecutive stages, from `first`, that do not transform the axis and pass its
/// chunks on unchanged.
std::size_t stages_along(const std::vector<Stage>& stages, std::size_t first, int axis) {
  std::size_t end = first;
  while (end < stages.size() && !transforms(stages[end], axis) &&
         (end == first || may_align(stages[end - 1].to, stages[end].from, axis)))
    ++end;
  return end - first;
}

/// By stage, the axis along which it is cut into chunks, and their number. An axis is used for as
/// many consecutive stages as do not transform it, so that its chunks stream through all of them;
/// then another axis is chosen.
std::vector<Chunking> choose_chunks(const std::vector<Stage>& stages, const Options& options) {
  std::vector<Chunking> chunks;
  while (chunks.size() < stages.size()) {
    const std::size_t first = chunks.size();
    const Layout& layout = stages[first].to;
    int best = -1;
    std::size_t best_stages = 0;
    Index best_length = 0;
    for (int axis = 0; axis < layout.global().size(); ++axis) {
      const Index length = layout.longest_part(axis);
      const std::size_t served = length > 1 ? stages_along(stages, first, axis) : 0;
      if (std::pair(served, length) <= std::pair(best_stages, best_length)) continue;
      best = axis;
      best_stages = served;
      best_length = length;
    }
    const bool is_end = first + best_stages >= stages.size() && first > 0;
    // More chunks than indices would be empty, and each costs a step of the schedule.
    const Index asked = is_end ? options.consumer_chunks : options.producer_chunks;
    const int count = static_cast<int>(std::max<Index>(1, std::min(asked, best_length)));
    chunks.insert(chunks.end(), std::max<std::size_t>(1, best_stages),
                  best_stages == 0 ? Chunking{} : Chunking{best, count});
  }
  return chunks;
}

/// The names of methods that suit, among the methods for every plan with this device.
template <class Suits>
std::string names_of_methods(const std::string& device, Suits&& suits) {
  std::vector<std::string> names;
  for (const ExchangeMethod& method : exchange_methods())
    if (method.traits.for_users && method.traits.for_every_plan &&
        reaches_memory_of(method, device) && suits(method))
      names.push_back(method.name);
  return fmt::format("auto, {}", fmt::join(names, ", "));
}

/// With device_path=direct: throws unless MPI takes addresses of devices in this method's calls.
void require_direct(const ExchangeMethod& method, const Options& options) {
  if (options.device_path != DevicePath::direct || is_host_device(options.device)) return;
  const auto suits = [](const auto& other) {
    return other.traits.device_reach != DeviceReach::staged;
  };
  const auto fail = [&](const std::string& what, const std::string& valid) {
    throw Error(
        fmt::format("{}: with device={} it needs buffers of the host, and device_path=direct "
                    "leaves them out; valid there are {}",
                    what, options.device, valid));
  };
  if (!suits(method)) fail("exchange " + method.name, names_of_methods(options.device, suits));
  if (!method.traits.gathers_on_nodes || suits(find_transport(options.inter_node))) return;
  std::vector<std::string> names;
  for (const TransportMethod& transport : transports())
    if (suits(transport)) names.push_back(transport.name);
  fail("inter_node " + options.inter_node, fmt::format("{}", fmt::join(names, ", ")));
}

const ExchangeMethod& choose_method(const Geometry& geometry, const std::string& name,
                                    const Options& options, const Topology& topology) {
  if (name == "auto")
    return default_exchange(geometry.is_within_nodes(topology) ? Reach::within_nodes
                                                               : Reach::between_nodes);
  const ExchangeMethod& method = find_exchange(name);
  if (method.traits.needs_one_node && !geometry.is_within_nodes(topology)) {
    throw Error(
        fmt::format("exchange {}: the ranks that exchange are on several nodes; valid there are {}",
                    method.name, names_of_methods(options.device, [](const ExchangeMethod& other) {
                      return !other.traits.needs_one_node;
                    })));
  }
  if (!reaches_memory_of(method, options.device))
    throw Error(
        fmt::format("exchange {}: it cannot reach memory of device={}; valid there are {}",
                    method.name, options.device,
                    names_of_methods(options.device, [](const ExchangeMethod&) { return true; })));
  require_direct(method, options);
  method.check(geometry);
  return method;
}

}  // namespace

/// One method for all exchanges, or as many as there are, in forward's order.
void choose_methods(Route& route, const Options& options, Direction direction,
                    const Topology& topology) {
  const std::vector<Geometry>& exchanges = route.exchanges;
  std::vector<std::string> names = exchange_list(options.exchange);
  if (names.size() == 1 || exchanges.empty()) names.resize(exchanges.size(), names.front());
  if (names.size() != exchanges.size())
    throw Error(fmt::format("exchange {}: names {} methods; valid are one for all exchanges, or {}",
                            options.exchange, names.size(), exchanges.size()));
  names = in_order_of(direction, std::move(names));
  route.methods.clear();
  for (std::size_t e = 0; e < exchanges.size(); ++e)
    route.methods.push_back(&choose_method(exchanges[e], names[e], options, topology));
}

void cut_into_chunks(Route& route, const Options& options) {
  if (route.in_result_array) return;  // its blocks lie across chunks
  const std::vector<Chunking> chunks = choose_chunks(route.stages, options);
  for (std::size_t e = 0; e < route.exchanges.size(); ++e) {
    Geometry& geometry = route.exchanges[e];
    geometry.producer = chunks[e];
    geometry.consumer = chunks[e + 1];
    geometry.aligned = chunks[e].axis == chunks[e + 1].axis && chunks[e].count > 1 &&
                       chunks[e].count == chunks[e + 1].count &&
                       may_align(geometry.from, geometry.to, chunks[e].axis);
  }
}

void choose_chunks_and_methods(Route& route, const Options& options, Direction direction,
                               const Topology& topology) {
  cut_into_chunks(route, options);
  choose_methods(route, options, direction, topology);
}

}  // namespace weft
