// The text of a plan: what a person asks when a transform is slow or memory runs out.
#include "plan/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <weft/describe.hpp>

#include "layout/partition.hpp"
#include "machine/instruction_set.hpp"
#include "mpi/communicator.hpp"
#include "plan/split_axes.hpp"

namespace weft {
namespace {

std::string element_text(const Element& element) {
  if (element.plain_bytes > 0) return fmt::format("{} bytes", element.plain_bytes);
  return element.real ? to_string(element.precision) : "complex " + to_string(element.precision);
}

std::string pass_text(const Route& route, std::size_t number, const Program* program) {
  const Stage& stage = route.stages[number];
  std::string text =
      fmt::format("  pass {}: {} on {}", number, steps_text(stage), to_string(stage.from));
  if (stage.factor != 1) text += fmt::format(", times {:g}", stage.factor);
  if (program) text += fmt::format(" [{}]", program->describe_pass(static_cast<int>(number)));
  return text + "\n";
}

std::string exchange_text(const Route& route, std::size_t number, int rank) {
  const Geometry& geometry = route.exchanges[number];
  const ExchangeMethod& method = *route.methods[number];
  const Geometry::Traffic traffic = method.sent(geometry, rank, route.setting);
  std::string text = fmt::format(
      "  exchange {}: {} among {} ranks, {} in {} messages per rank, block order {}", number,
      method.name, geometry.group_of(rank).size(), bytes_text(static_cast<double>(traffic.bytes)),
      traffic.messages, fmt::join(geometry.order, " "));
  if (geometry.producer.count * geometry.consumer.count > 1)
    text += fmt::format(", chunks {} (axis {}) x {} (axis {})", geometry.producer.count,
                        geometry.producer.axis, geometry.consumer.count, geometry.consumer.axis);
  if (geometry.element.wire != Wire::exact) {
    Element exact = geometry.element;
    exact.wire = Wire::exact;
    text += fmt::format(", {} of {} bytes per element", geometry.element.bytes(), exact.bytes());
  }
  return text + "\n    " + method.description + "\n";
}

std::string source_text(const Choice& choice) {
  constexpr std::array sources{"", "the model", "wisdom", "a search"};
  if (choice.source == Choice::Source::rule) return "";
  std::string text = fmt::format("  asked for {}; the rest from {}", choice.asked,
                                 sources[static_cast<std::size_t>(choice.source)]);
  if (choice.predicted_seconds > 0)
    text += fmt::format(", predicted {:.3g} ms", choice.predicted_seconds * 1e3);
  if (choice.measured_seconds > 0)
    text += fmt::format(", measured {:.3g} ms", choice.measured_seconds * 1e3);
  return text + "\n";
}

std::string memory_text(const Routes& routes, int rank, const MemoryPlan& memory, int fields) {
  const auto array_bytes = [&](const Layout& layout, const Element& element) {
    return static_cast<double>(layout.box(rank).volume() * element.bytes());
  };
  const double input = array_bytes(routes.input, routes.input_element);
  const double output = array_bytes(routes.output, routes.output_element);
  const double buffers = static_cast<double>(memory.arena_bytes) * fields;
  double windows = 0;
  for (std::size_t bytes : memory.window_bytes) windows += static_cast<double>(bytes) * fields;
  return fmt::format("memory: input {}, output {}, buffers {}, windows {}; peak {}\n",
                     bytes_text(input), bytes_text(output), bytes_text(buffers),
                     bytes_text(windows), bytes_text(input + output + buffers + windows));
}

std::string choice_text(const Choice& choice, const Layout& layout) {
  std::string text = source_text(choice);
  if (!choice.ranks.empty()) text += fmt::format("  on {}: {}\n", ranks_text(layout), choice.ranks);
  return text + (choice.note.empty() ? "" : "  " + choice.note + "\n");
}

}  // namespace

std::string steps_text(const Stage& stage) {
  if (stage.steps.empty()) return "copy";
  std::string text;
  for (const Step& step : stage.steps)
    text += fmt::format("{}{} along axis {}", text.empty() ? "" : ", then ", to_string(step.kind),
                        step.axis);
  return text;
}

std::string modes_text(const Transform& transform) {
  std::vector<std::string> kept;
  for (const Modes& modes : transform.modes) kept.push_back(to_string(modes));
  std::string text = fmt::format("{}", fmt::join(kept, ", "));
  if (!transform.ellipse.empty())
    text += fmt::format("{}inside an ellipse of radii {}", text.empty() ? "" : ", ",
                        fmt::join(transform.ellipse, ", "));
  if (text.empty()) return "all";
  return fmt::format("{}; dropped ones are {}", text, to_string(transform.dropped));
}

/// How axes are split, or why one rank transforms a single axis.
std::string split_text(const Transform& transform, const Routes& routes) {
  if (const std::string split = to_string(routes.axes); !split.empty())
    return fmt::format("  split: {}, of those below\n", split);
  const Kind kind = transform.kinds.front();
  const bool is_shared = !routes.forward.exchanges.empty();
  if (transform.shape.size() > 1 || kind == Kind::none || !is_shared) return {};
  const std::string reason =
      kind == Kind::c2c && transform.modes.empty()
          ? fmt::format("{} is no product of two lengths that all ranks can share",
                        transform.shape[0])
          : "only c2c of all modes is split";
  return fmt::format("  split: none, one rank transforms the axis, since {}\n", reason);
}

std::string bytes_text(double bytes) {
  static constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) bytes /= 1024, ++unit;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string describe(const RouteRequest& request, const Routes& routes, const Topology& topology,
                     const Caches& caches, int rank, const Program* forward, const Choice& choice) {
  const Transform& transform = request.transform;
  std::vector<std::string> kinds;
  for (Kind kind : transform.kinds) kinds.push_back(to_string(kind));
  std::string text =
      fmt::format("weft plan: {} [{}], {}\n", to_string(transform.shape), fmt::join(kinds, " "),
                  transform.element_bytes > 0
                      ? fmt::format("elements of {} bytes", transform.element_bytes)
                      : fmt::format("{} precision, scale {}", to_string(transform.precision),
                                    to_string(transform.scale)));
  if (const std::string modes = modes_text(transform); modes != "all")
    text += fmt::format("  modes kept: {}\n", modes);
  text += fmt::format(
      "  {} ranks on {} {}, engine {}, {} instructions, {} {} per rank, options {}\n",
      topology.ranks(), topology.nodes(), topology.nodes() == 1 ? "node" : "nodes",
      find_engine(request.options.engine).name, instruction_set(), request.options.threads,
      request.options.threads == 1 ? "thread" : "threads", to_string(request.options));
  text += choice_text(choice, routes.input);
  text += fmt::format("  progress {}, MPI provides {}\n", to_string(request.options.progress),
                      thread_level_name());
  text += fmt::format("  caches per core, as reported: {}, {}, {}\n",
                      bytes_text(static_cast<double>(caches.level1)),
                      bytes_text(static_cast<double>(caches.level2)),
                      bytes_text(static_cast<double>(caches.level3)));
  if (request.options.verify)
    text += "  verified: each call is certified by a linear functional on all ranks\n";
  text += fmt::format("  input:  {}, {}\n", to_string(routes.input),
                      element_text(routes.input_element));
  text += fmt::format("  output: {}, {}\n", to_string(routes.output),
                      element_text(routes.output_element));
  text += split_text(transform, routes);
  text += fmt::format("forward, seen from rank {}:\n", rank);
  for (std::size_t stage = 0; stage < routes.forward.stages.size(); ++stage) {
    text += pass_text(routes.forward, stage, forward);
    if (stage < routes.forward.exchanges.size()) text += exchange_text(routes.forward, stage, rank);
  }
  std::optional<ProgramPlan> plan;
  if (!forward) plan = plan_program(shape_for(routes.forward, request.options), rank);
  const Schedule& schedule = forward ? forward->schedule() : plan->shape->of_all_fields();
  if (schedule.size() > 6 * routes.forward.stages.size())
    text += "schedule:\n" + to_string(schedule, request.options.fields > 1);
  return text + memory_text(routes, rank, forward ? forward->memory() : plan->memory,
                            request.options.fields);
}

std::string describe(const Transform& transform, const Options& options, int ranks,
                     int ranks_per_node) {
  if (ranks < 1) throw Error(fmt::format("ranks {}: must be at least 1", ranks));
  const char* const instructions = std::getenv("WEFT_INSTRUCTIONS");
  limit_instruction_set(instructions != nullptr ? instructions : "");
  const RouteRequest request{transform, options, {}, {}};
  const Topology topology = Topology::uniform(ranks, ranks_per_node);
  const Routes routes = make_routes(request, topology, machine_caches());
  return describe(request, routes, topology, machine_caches(), 0, nullptr);
}

}  // namespace weft
