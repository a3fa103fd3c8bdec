// Only gathers texts: what is valid, and the error that lists it, is the library's own business.
#include "plan_arguments.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>
#include <weft/error.hpp>

#include "command.hpp"
#include "device/device.hpp"
#include "text.hpp"

namespace weft::command {
namespace {

std::string listed(const std::vector<std::string>& names) {
  return fmt::format(", {}", fmt::join(names, ", "));
}

std::vector<std::string> other_devices() {
  std::vector<std::string> names = valid_device_names();
  names.erase(names.begin());
  return names;
}

/// The parts between commas, without the blanks around them.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts = split(list, ',');
  for (std::string& part : parts) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
  }
  return parts;
}

/// "0,2,-1"
std::vector<int> parse_axes(const std::string& text) {
  std::vector<int> axes;
  if (text.empty()) return axes;
  for (const std::string& part : parts_of(text)) {
    const auto axis = number_in<int>(part);
    if (!axis)
      throw Error(
          fmt::format("axes \"{}\": give numbers with commas between them, 0,2 say; negative "
                      "ones count from the last axis",
                      text));
    axes.push_back(*axis);
  }
  return axes;
}

/// One part for every axis, from a text with commas or one part for all.
std::vector<std::string> for_each_axis(const std::string& name, const std::string& text, int axes) {
  std::vector<std::string> parts = parts_of(text);
  if (parts.size() == 1) parts.resize(axes, parts.front());
  if (static_cast<int>(parts.size()) != axes)
    throw Error(fmt::format("{} \"{}\": has {} parts for {} axes; give one for all, or one each",
                            name, text, parts.size(), axes));
  return parts;
}

/// One kind for each axis, or one for all of --axes.
std::vector<Kind> kinds_of(const PlanArguments& arguments, const Shape& shape, Kind default_kind) {
  const std::vector<int> axes = parse_axes(arguments.axes);
  if (arguments.kind.find(',') == std::string::npos) {
    const Kind kind = arguments.kind.empty() ? default_kind : parse_kind(arguments.kind);
    return Transform(shape, kind, axes).kinds;
  }
  if (!axes.empty())
    throw Error(
        fmt::format("axes \"{}\": kind \"{}\" names every axis already; leave --axes out, and "
                    "write none for an axis that is not transformed",
                    arguments.axes, arguments.kind));
  std::vector<Kind> kinds;
  for (const std::string& name : for_each_axis("kind", arguments.kind, shape.size()))
    kinds.push_back(parse_kind(name));
  return kinds;
}

double parse_radius(const std::string& text) {
  const auto radius = number_in<double>(text);
  if (!radius) throw Error(fmt::format("ellipse: \"{}\" is not a number", text));
  return *radius;
}

void set_modes(const PlanArguments& arguments, Transform& transform) {
  const int axes = transform.shape.size();
  transform.dropped = parse_dropped(arguments.dropped);
  if (!arguments.modes.empty()) {
    const auto parts = for_each_axis("modes", arguments.modes, axes);
    for (int axis = 0; axis < axes; ++axis)
      transform.modes.push_back(transform.kinds[axis] == Kind::none
                                    ? Modes{}
                                    : parse_modes(parts[axis], transform.shape[axis]));
  }
  if (arguments.ellipse.empty()) return;
  const auto parts = for_each_axis("ellipse", arguments.ellipse, axes);
  for (int axis = 0; axis < axes; ++axis)
    transform.ellipse.push_back(transform.kinds[axis] == Kind::none ? 0
                                                                    : parse_radius(parts[axis]));
}

}  // namespace

void add_transform_options(Command command, PlanArguments& arguments) {
  command.begin_group("What to compute");
  command.add("--kind", arguments.kind,
              "c2c, r2c, dct1 to dct4 or dst1 to dst4, defined as in NumPy and SciPy; c2r, "
              "from a half spectrum to real numbers, not divided by N (--scale); "
              "r2c_packed, r2c in n/2 complex numbers. One for all axes (r2c and c2r: for "
              "the last one, with c2c for the others), or one for each with commas between: "
              "dct2,r2c,c2c; none leaves an axis as it is");
  command.add("--axes", arguments.axes,
              "The axes to transform, 0,2 say; negative ones count from the last (default: "
              "all). r2c and c2r halve the last one named");
  command
      .add("--scale", arguments.scale,
           "backward: divide by N going back; forward: going forth; ortho: by sqrt(N) both "
           "ways; or a number to multiply by going forth, which going back undoes")
      .shows_default();
  command.add("--modes", arguments.modes,
              "The modes to keep, for all axes or one for each with commas between: all, 85 "
              "(|k| <= 85), 2/3 (|k| <= n/3), -8..-3+3..8, or \"grid 128\" for those of a "
              "coarser grid (dealiasing by padding)");
  command.add("--ellipse", arguments.ellipse,
              "Keep the modes inside an ellipse: its radius, or one for each axis");
  command
      .add("--dropped", arguments.dropped,
           "Modes that are not kept: absent (the spectrum is a smaller array) or zero")
      .shows_default();
}

void add_execution_options(Command command, PlanArguments& arguments) {
  command.begin_group("How to compute it");
  command.add(
      "--device", arguments.device,
      "Where passes run and the plan's own arrays lie: cpu (default)" + listed(other_devices()));
  command.add("--exchange", arguments.exchange,
              "How ranks exchange data: auto (default)" + listed(all_exchange_names()) +
                  "; or one for each exchange, shared/p2p say");
  command.add("--engine", arguments.engine,
              "The 1-D FFTs: auto (default)" + listed(all_engine_names()));
  command.add("--engine-effort", arguments.engine_effort,
              "How long the engine looks for its fastest plan: estimate, measure, patient");
  command.add_positive("--threads", arguments.threads, "OpenMP threads per rank (default: 1)");
  command.add("--options", arguments.options,
              "Any of the library's options in one string, \"exchange=shared, threads=2\" "
              "say; single options override it");
}

void add_shape(Command command, std::string& shape) {
  command.add("SHAPE", shape, "The array's shape, 256x256x256 say").required();
}

void add_plan_options(Command command, PlanArguments& arguments) {
  add_transform_options(command, arguments);
  command.add("--precision", arguments.precision, "double or float").shows_default();
  command.begin_group("Layout");
  command.add("--layout,--decomposition", arguments.layout,
              "How ranks share the array: slab, pencil, brick, or auto (default)");
  command.add("--grid", arguments.grid,
              "The process grid: 4x2 for pencils, 2x2x2 for bricks (default: chosen)");
  command.add("--active-ranks", arguments.active_ranks,
              "How many ranks hold data: all (default), a number, or auto, for what is "
              "expected to be fastest");
  command.add("--output", arguments.output,
              "The spectrum's layout: transposed (default, the cheap one) or natural (as "
              "the input)");
  add_execution_options(command, arguments);
}

Transform transform_of(const PlanArguments& arguments, const Shape& shape, Kind default_kind) {
  Transform transform(shape, kinds_of(arguments, shape, default_kind),
                      parse_precision(arguments.precision));
  transform.scale = parse_scale(arguments.scale);
  set_modes(arguments, transform);
  return transform;
}

Options options_of(const PlanArguments& arguments, const std::string& defaults) {
  std::string text = defaults;
  const auto append = [&text](std::string_view setting) {
    text += text.empty() ? "" : ", ";
    text += setting;
  };
  const auto set = [&append](std::string_view key, const std::string& value) {
    if (!value.empty()) append(fmt::format("{}={}", key, value));
  };
  if (!arguments.options.empty() && arguments.options != "auto") append(arguments.options);
  set("decomposition", arguments.layout);
  set("grid", arguments.grid);
  set("active_ranks", arguments.active_ranks);
  set("output", arguments.output);
  set("device", arguments.device);
  set("exchange", arguments.exchange);
  set("engine", arguments.engine);
  set("engine_effort", arguments.engine_effort);
  if (arguments.threads > 0) append(fmt::format("threads={}", arguments.threads));
  return Options::parse(text);
}

bool is_for_host(const Plan& plan) { return plan.options().device == Options().device; }

std::string exchanges_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const std::string& name : plan.exchanges())
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ","));
}

}  // namespace weft::command
