// Only gathers texts: what is valid, and the error that lists it, is the library's own business.
#include "plan_arguments.hpp"

#include <fmt/core.h>

#include <charconv>
#include <string_view>
#include <vector>
#include <weft/error.hpp>

namespace weft::command {
namespace {

constexpr const char* what_group = "What to compute";
constexpr const char* layout_group = "Layout";
constexpr const char* how_group = "How to compute it";

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += ", " + name;
  return result;
}

/// "0,2,-1"
std::vector<int> parse_axes(const std::string& text) {
  std::vector<int> axes;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int axis = 0;
    const auto [after, status] = std::from_chars(at, end, axis);
    const bool comma = after != end && *after == ',' && after + 1 != end;
    if (status != std::errc{} || (after != end && !comma))
      throw Error(
          fmt::format("axes \"{}\": give numbers with commas between them, 0,2 say; negative "
                      "ones count from the last axis",
                      text));
    axes.push_back(axis);
    at = comma ? after + 1 : after;
  }
  return axes;
}

}  // namespace

void add_transform_options(CLI::App& command, PlanArguments& arguments) {
  command
      .add_option("--kind", arguments.kind,
                  "c2c, r2c, c2r, dct1 to dct4 or dst1 to dst4, defined as in NumPy and SciPy")
      ->group(what_group);
  command
      .add_option(
          "--axes", arguments.axes,
          "The axes to transform, 0,2 say; negative ones count from the last (default: all). "
          "r2c and c2r halve the last one named")
      ->group(what_group);
  command
      .add_option("--scale", arguments.scale,
                  "backward: divide by N going back; forward: going forth; ortho: by sqrt(N) both "
                  "ways; or a number to multiply by going forth, which going back undoes")
      ->capture_default_str()
      ->group(what_group);
}

void add_precision_option(CLI::App& command, PlanArguments& arguments) {
  command.add_option("--precision", arguments.precision, "double or float")
      ->capture_default_str()
      ->group(what_group);
}

void add_layout_options(CLI::App& command, PlanArguments& arguments) {
  command
      .add_option("--layout,--decomposition", arguments.layout,
                  "How ranks share the array: slab, pencil, brick, or auto (default)")
      ->group(layout_group);
  command
      .add_option("--grid", arguments.grid,
                  "The process grid: 4x2 for pencils, 2x2x2 for bricks (default: chosen)")
      ->group(layout_group);
  command
      .add_option("--output", arguments.output,
                  "The spectrum's layout: transposed (default, the cheap one) or natural (as the "
                  "input)")
      ->group(layout_group);
}

void add_execution_options(CLI::App& command, PlanArguments& arguments) {
  command
      .add_option("--exchange", arguments.exchange,
                  "How ranks exchange data: auto (default)" + listed(exchange_names()))
      ->group(how_group);
  command
      .add_option("--engine", arguments.engine,
                  "The 1-D FFTs: auto (default)" + listed(engine_names()))
      ->group(how_group);
  command
      .add_option("--effort", arguments.effort,
                  "How long the engine looks for its fastest plan: estimate, measure, patient")
      ->group(how_group);
  command.add_option("--threads", arguments.threads, "OpenMP threads per rank (default: 1)")
      ->check(CLI::PositiveNumber)
      ->group(how_group);
  command
      .add_option("--options", arguments.options,
                  "Any of the library's options in one string, \"exchange=shared, threads=2\" say; "
                  "single options override it")
      ->group(how_group);
}

void add_plan_options(CLI::App& command, PlanArguments& arguments) {
  add_transform_options(command, arguments);
  add_precision_option(command, arguments);
  add_layout_options(command, arguments);
  add_execution_options(command, arguments);
}

Transform transform_of(const PlanArguments& arguments, const Shape& shape, Kind default_kind) {
  const Kind kind = arguments.kind.empty() ? default_kind : parse_kind(arguments.kind);
  Transform transform(shape, kind, parse_axes(arguments.axes),
                      parse_precision(arguments.precision));
  transform.scale = parse_scale(arguments.scale);
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
  set("output", arguments.output);
  set("exchange", arguments.exchange);
  set("engine", arguments.engine);
  set("effort", arguments.effort);
  if (arguments.threads > 0) append(fmt::format("threads={}", arguments.threads));
  return Options::parse(text);
}

}  // namespace weft::command
