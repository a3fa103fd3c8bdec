// Only gathers texts: the library checks them, and its errors list the valid ones.
#include "plan_arguments.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
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

/// Settings for the library to parse, separated by commas.
class SettingsText {
 public:
  explicit SettingsText(std::string text) : text_(std::move(text)) {}
  void append(const std::string& settings) {
    if (settings.empty()) return;
    text_ += text_.empty() ? "" : ", ";
    text_ += settings;
  }
  /// A value may have blanks behind its commas; others are written _, as in "grid 128".
  void set(std::string_view key, const std::string& value) {
    if (value.empty()) return;
    std::vector<std::string> parts = list_of(value);
    for (std::string& part : parts) std::ranges::replace(part, ' ', '_');
    append(fmt::format("{}={}", key, fmt::join(parts, ",")));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The words that the library lists where it refuses a value, without those that only show a form,
/// as cuda:N does: so that no second list can differ from the library's.
std::vector<std::string> words_in(const std::string& refusal) {
  constexpr std::string_view introduction = "valid are ";
  const std::size_t begin = refusal.find(introduction);
  std::vector<std::string> words;
  if (begin == std::string::npos) return words;
  for (const std::string& item : list_of(refusal.substr(begin + introduction.size()))) {
    const std::string word = item.substr(0, item.find(' '));
    if (word.find(':') == std::string::npos) words.push_back(word);
  }
  return words;
}

/// For the option that is `key` in the texts of Transform or Options.
template <class Parsed>
std::function<std::vector<std::string>()> words_of(const std::string& key) {
  return [key]() -> std::vector<std::string> {
    try {
      Parsed::parse(key + "=?");
    } catch (const Error& error) {
      return words_in(error.what());
    }
    return {};
  };
}

}  // namespace

void add_transform_options(Command command, PlanArguments& arguments) {
  command.begin_group("What to compute");
  command
      .add("--kind", arguments.kind,
           "c2c, r2c, dct1 to dct4 or dst1 to dst4, defined as in NumPy and SciPy; c2r, "
           "from a half spectrum to real numbers, not divided by N (--scale); "
           "r2c_packed, r2c in n/2 complex numbers. One for all axes (r2c and c2r: for "
           "the last one, with c2c for the others), or one for each with commas between: "
           "dct2,r2c,c2c; none leaves an axis as it is")
      .completed_by(words_of<Transform>("shape=1, kind"));
  command.add("--axes", arguments.axes,
              "The axes to transform, 0,2 say; negative ones count from the last (default: "
              "all). r2c and c2r halve the last one named");
  command
      .add("--scale", arguments.scale,
           "backward: divide by N going back; forward: going forth; ortho: by sqrt(N) both "
           "ways; or a number to multiply by going forth, which going back undoes")
      .shows_default()
      .completed_by(words_of<Transform>("shape=1, scale"));
  command.add("--modes", arguments.modes,
              "The modes to keep, for all axes or one for each with commas between: all, 85 "
              "(|k| <= 85), 2/3 (|k| <= n/3), -8..-3+3..8, or \"grid 128\" for those of a "
              "coarser grid (dealiasing by padding)");
  command.add("--ellipse", arguments.ellipse,
              "Keep the modes inside an ellipse: its radius, or one for each axis");
  command
      .add("--dropped", arguments.dropped,
           "Modes that are not kept: absent (the spectrum is a smaller array) or zero")
      .shows_default()
      .completed_by(words_of<Transform>("shape=1, dropped"));
}

void add_execution_options(Command command, PlanArguments& arguments) {
  command.begin_group("How to compute it");
  command
      .add(
          "--device", arguments.device,
          "Where passes run and the plan's own arrays lie: cpu (default)" + listed(other_devices()))
      .completed_by(words_of<Options>("device"));
  command
      .add("--exchange", arguments.exchange,
           "How ranks exchange data: auto (default)" + listed(all_exchange_names()) +
               "; or one for each exchange, shared/p2p say")
      .completed_by(words_of<Options>("exchange"));
  command
      .add("--engine", arguments.engine,
           "The 1-D FFTs: auto (default)" + listed(all_engine_names()))
      .completed_by(words_of<Options>("engine"));
  command
      .add("--engine-effort", arguments.engine_effort,
           "How long the engine looks for its fastest plan: estimate, measure, patient")
      .completed_by(words_of<Options>("engine_effort"));
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
  command.add("--precision", arguments.precision, "double or float")
      .shows_default()
      .completed_by(words_of<Transform>("shape=1, precision"));
  command.begin_group("Layout");
  command
      .add("--layout,--decomposition", arguments.layout,
           "How ranks share the array: slab, pencil, brick, cyclic, any, or auto (default)")
      .completed_by(words_of<Options>("decomposition"));
  command.add("--grid", arguments.grid,
              "The process grid: 4x2 for pencils, 2x2x2 for bricks (default: chosen)");
  command.add("--active-ranks", arguments.active_ranks,
              "How many ranks hold data: all (default), a number, or auto, for what is "
              "expected to be fastest");
  command
      .add("--output", arguments.output,
           "The spectrum's layout: transposed (default, the cheap one) or natural (as "
           "the input)")
      .completed_by(words_of<Options>("output"));
  add_execution_options(command, arguments);
}

Transform transform_of(const PlanArguments& arguments, const Shape& shape, Kind default_kind) {
  SettingsText settings("shape=" + to_string(shape));
  settings.set("kind", arguments.kind.empty() ? to_string(default_kind) : arguments.kind);
  settings.set("axes", arguments.axes);
  settings.set("precision", arguments.precision);
  settings.set("scale", arguments.scale);
  settings.set("modes", arguments.modes);
  settings.set("ellipse", arguments.ellipse);
  settings.set("dropped", arguments.dropped);
  return Transform::parse(settings.text());
}

Options options_of(const PlanArguments& arguments, const std::string& defaults) {
  SettingsText settings(defaults);
  if (arguments.options != "auto") settings.append(arguments.options);
  settings.set("decomposition", arguments.layout);
  settings.set("grid", arguments.grid);
  settings.set("active_ranks", arguments.active_ranks);
  settings.set("output", arguments.output);
  settings.set("device", arguments.device);
  settings.set("exchange", arguments.exchange);
  settings.set("engine", arguments.engine);
  settings.set("engine_effort", arguments.engine_effort);
  if (arguments.threads > 0) settings.set("threads", fmt::format("{}", arguments.threads));
  return Options::parse(settings.text());
}

bool is_for_host(const Plan& plan) { return plan.options().device == Options().device; }

std::string exchanges_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const std::string& name : plan.exchanges())
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ","));
}

}  // namespace weft::command
