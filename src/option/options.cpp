// The rows of options: each row prints its option and parses it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <type_traits>

#include "device/device.hpp"
#include "exchange/exchange.hpp"
#include "layout/enumerators.hpp"
#include "layout/names.hpp"
#include "layout/split.hpp"
#include "option/option_rows.hpp"

namespace weft {
namespace {

/// The names of an enumeration's values, in its order, for printing and parsing.
using Names = std::vector<std::string>;
Names names_of(Decomposition) { return {"auto", "slab", "pencil", "brick", "cyclic", "any"}; }
Names names_of(OutputLayout) { return {"transposed", "natural", "scrambled"}; }
Names names_of(Arrays) { return {"any", "plan"}; }
Names names_of(Wire) { return {"exact", "float", "bfloat16", "fixed12"}; }
Names names_of(ScheduleForm) { return {"pipeline", "split"}; }
Names names_of(StartOrder) { return {"consumer", "producer"}; }
Names names_of(PackOrder) { return {"consumer", "producer"}; }
Names names_of(ProgressPolicy) { return {"adaptive", "none", "poll", "thread"}; }
Names names_of(Effort) { return {"estimate", "measure"}; }
Names names_of(DevicePath) { return {"auto", "direct", "staged"}; }
Names names_of(ErrorPolicy) { return {"abort", "raise"}; }
Names names_of(EngineEffort) { return {"estimate", "measure", "patient"}; }

template <class Enum>
std::string name_of(Enum value, const std::string& key) {
  return name_of(value, names_of(value), "options: " + key);
}

[[noreturn]] void fail(const std::string& key, const std::string& value, const std::string& valid) {
  throw Error(fmt::format("options: {}={}: {}", key, value, valid));
}

/// Numbers from `least` to `most`; without `least` itself if `is_above`.
template <class Number>
struct Range {
  Number least = 0;
  Number most = std::numeric_limits<Number>::max();
  bool is_above = false;

  bool contains(Number number) const {
    return (is_above ? number > least : number >= least) && number <= most;
  }
  std::string text() const {
    std::string text = std::is_integral_v<Number> ? "valid is a whole number" : "valid is a number";
    text += fmt::format(" {} {}", is_above ? "above" : "from", least);
    if (most == std::numeric_limits<Number>::max()) return text;
    return text + fmt::format("{} {}", is_above ? ", at most" : " to", most);
  }
};

template <class Number>
std::optional<Number> number_in(const std::string& text, const Range<Number>& range) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [read, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc{} || read != end || !range.contains(number)) return {};
  return number;
}

template <class Number>
Number parse_number(const std::string& key, const std::string& value, const Range<Number>& range) {
  const std::optional<Number> number = number_in(value, range);
  if (!number) fail(key, value, range.text());
  return *number;
}

bool parse_switch(const std::string& key, const std::string& value) {
  if (value != "0" && value != "1") fail(key, value, "valid are 0 and 1");
  return value == "1";
}

template <class Enum>
Enum parse_name(const std::string& key, const std::string& value) {
  const Names names = names_of(Enum{});
  const auto found = std::ranges::find(names, value);
  if (found == names.end()) fail(key, value, valid_instead_of(value, names));
  return static_cast<Enum>(found - names.begin());
}

std::vector<int> parse_grid(const std::string& key, const std::string& value) {
  if (value.empty()) return {};
  std::vector<int> grid;
  for (const std::string& part : split(value, 'x')) {
    const auto ranks = number_in<int>(part, {.least = 1});
    if (!ranks) fail(key, value, "valid are whole numbers from 1 with x between them, as in 4x8");
    grid.push_back(*ranks);
  }
  return grid;
}

std::string active_ranks_text(const Options& options) {
  if (options.active_ranks == Options::chosen) return "auto";
  return options.active_ranks == 0 ? "all" : fmt::format("{}", options.active_ranks);
}

void parse_active_ranks(Options& options, const std::string& value) {
  if (value == "all" || value == "auto") {
    options.active_ranks = value == "all" ? 0 : Options::chosen;
    return;
  }
  const auto ranks = number_in<int>(value, {.least = 1});
  if (!ranks) fail("active_ranks", value, "valid are all, auto and whole numbers from 1");
  options.active_ranks = *ranks;
}

template <class Enum>
OptionRow name_row(std::string key, OptionRole role, Enum Options::*member) {
  return {key, role, [=](const Options& options) { return name_of(options.*member, key); },
          [=](Options& options, const std::string& value) {
            options.*member = parse_name<Enum>(key, value);
          }};
}

template <class Number>
OptionRow number_row(std::string key, OptionRole role, Number Options::*member,
                     const Range<Number>& range = {}) {
  return {key, role, [=](const Options& options) { return fmt::format("{}", options.*member); },
          [=](Options& options, const std::string& value) {
            options.*member = parse_number(key, value, range);
          }};
}

OptionRow switch_row(std::string key, OptionRole role, bool Options::*member) {
  return {key, role, [=](const Options& options) { return options.*member ? "1" : "0"; },
          [=](Options& options, const std::string& value) {
            options.*member = parse_switch(key, value);
          }};
}

OptionRow text_row(std::string key, OptionRole role, std::string Options::*member,
                   std::function<std::vector<std::string>()> names) {
  return {key, role, [=](const Options& options) { return options.*member; },
          [=](Options& options, const std::string& value) {
            std::vector<std::string> valid = names();
            if (Options().*member == "auto") valid.insert(valid.begin(), "auto");
            if (std::ranges::find(valid, value) == valid.end())
              fail(key, value, valid_instead_of(value, valid));
            options.*member = value;
          }};
}

OptionRow tried(OptionRow row, std::vector<std::string> values, bool of_chunks) {
  row.tried = std::move(values);
  row.of_chunks = of_chunks;
  return row;
}

/// "auto", a method, or several with slashes between them.
void parse_exchange(Options& options, const std::string& value) {
  const std::vector<std::string> valid = all_exchange_names(), list = exchange_list(value);
  for (const std::string& name : list)
    if (name == "auto" && list.size() > 1)
      fail("exchange", value, "valid beside others are methods; auto stands for all");
    else if (name != "auto" && std::ranges::find(valid, name) == valid.end())
      fail("exchange", name, valid_instead_of(name, valid, "valid are auto,"));
  options.exchange = value;
}

/// A device need not be there: options may be written for another machine.
void parse_device(Options& options, const std::string& value) {
  if (!is_device_name(value))
    fail("device", value, fmt::format("valid are {}", fmt::join(valid_device_names(), ", ")));
  options.device = value;
}

constexpr int most_chunks = 4096;  // every chunk of a pass meets every chunk of the next
constexpr int most_threads = 4096;
constexpr int most_fields = 1024;  // a field takes communicators, and MPIs have a few thousand
constexpr double endless = std::numeric_limits<double>::max();

std::vector<OptionRow> make_rows() {
  using enum OptionRole;
  using O = Options;
  const Range<double> seconds{.least = 0, .most = endless};
  return {
      name_row("decomposition", layout, &O::decomposition),
      {"grid", layout, [](const O& o) { return fmt::format("{}", fmt::join(o.grid, "x")); },
       [](O& o, const std::string& value) { o.grid = parse_grid("grid", value); }},
      {"active_ranks", layout, active_ranks_text, parse_active_ranks},
      {"partition", plan, [](const O& o) { return to_string(o.partition); },
       [](O& o, const std::string& value) { o.partition = parse_partition(value); }},
      name_row("output", plan, &O::output),
      {"exchange", tuned, [](const O& o) { return o.exchange; }, parse_exchange},
      {"device", plan, [](const O& o) { return o.device; }, parse_device},
      name_row("device_path", plan, &O::device_path),
      text_row("engine", tuned, &O::engine, all_engine_names),
      name_row("effort", watch, &O::effort),
      number_row("tuning_seconds", watch, &O::tuning_seconds, seconds),
      name_row("engine_effort", plan, &O::engine_effort),
      number_row("threads", tuned, &O::threads, {.least = 1, .most = most_threads}),
      number_row("axes_per_pass", plan, &O::axes_per_pass, {.least = 0, .most = 2}),
      number_row("producer_chunks", tuned, &O::producer_chunks, {.least = 0, .most = most_chunks}),
      number_row("consumer_chunks", tuned, &O::consumer_chunks, {.least = 0, .most = most_chunks}),
      name_row("schedule", plan, &O::schedule),
      tried(number_row("start_share", tuned, &O::start_share,
                       {.least = 0, .most = 1, .is_above = true}),
            {"0.5", "0.75", "1"}, true),
      tried(name_row("start_order", tuned, &O::start_order), names_of(StartOrder{}), true),
      tried(name_row("pack_order", tuned, &O::pack_order), names_of(PackOrder{}), false),
      tried(number_row("in_flight", tuned, &O::in_flight), {"2", "4", "8", "16", "0"}, true),
      tried(name_row("progress", tuned, &O::progress), names_of(ProgressPolicy{}), true),
      number_row("poll_tiles", plan, &O::poll_tiles, {.least = 1}),
      name_row("arrays", plan, &O::arrays),
      name_row("wire", plan, &O::wire),
      number_row("wire_error", plan, &O::wire_error, {.least = 0, .most = endless}),
      number_row("fields", plan, &O::fields, {.least = 1, .most = most_fields}),
      name_row("errors", watch, &O::errors),
      switch_row("check_calls", watch, &O::check_calls),
      switch_row("verify", watch, &O::verify),
      number_row("stall_seconds", watch, &O::stall_seconds, seconds),
      number_row("stall_limit", watch, &O::stall_limit, seconds),
      text_row("inter_node", plan, &O::inter_node, inter_node_names),
      number_row("ranks_per_node", plan, &O::ranks_per_node),
      number_row("count_limit", plan, &O::count_limit)};
}

/// The same with commas in place of spaces between settings; other spaces are left out.
std::string separated_by_commas(const std::string& text) {
  std::string result;
  bool spaced = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n') {
      spaced = true;
      continue;
    }
    const bool joins = c == '=' || c == ',' || result.ends_with('=') || result.ends_with(',');
    if (spaced && !result.empty() && !joins) result += ',';
    spaced = false;
    result += c;
  }
  return result;
}

void apply_setting(Options& options, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals);
  const auto found = std::ranges::find(option_rows(), name, &OptionRow::name);
  if (equals == std::string::npos || found == option_rows().end())
    throw Error(fmt::format(
        "options: \"{}\": {}", setting,
        valid_instead_of(name, option_keys(), "valid is key=value with one of the keys")));
  const std::string value = setting.substr(equals + 1);
  if (value.empty()) throw Error(fmt::format("options: {}: has no value", setting));
  found->parse(options, value);
}

}  // namespace

std::string to_string(Decomposition value) { return name_of(value, "decomposition"); }
std::string to_string(OutputLayout value) { return name_of(value, "output"); }
std::string to_string(Arrays value) { return name_of(value, "arrays"); }
std::string to_string(Wire value) { return name_of(value, "wire"); }
std::string to_string(ScheduleForm value) { return name_of(value, "schedule"); }
std::string to_string(StartOrder value) { return name_of(value, "start_order"); }
std::string to_string(PackOrder value) { return name_of(value, "pack_order"); }
std::string to_string(ProgressPolicy value) { return name_of(value, "progress"); }
std::string to_string(Effort value) { return name_of(value, "effort"); }
std::string to_string(EngineEffort value) { return name_of(value, "engine_effort"); }
std::string to_string(DevicePath value) { return name_of(value, "device_path"); }
std::string to_string(ErrorPolicy value) { return name_of(value, "errors"); }

Options Options::parse(const std::string& text) {
  Options options;
  const std::string settings = separated_by_commas(text);
  if (settings.empty() || settings == "auto") return options;
  for (const std::string& setting : split(settings, ',')) apply_setting(options, setting);
  return options;
}

const std::vector<OptionRow>& option_rows() {
  static const std::vector<OptionRow> rows = make_rows();
  return rows;
}

void check_options(const Options& options) {
  Options parsed;
  for (const OptionRow& row : option_rows())
    if (!row.is_default(options)) row.copy(options, parsed);
}

std::vector<std::string> option_keys() {
  std::vector<std::string> names;
  for (const OptionRow& row : option_rows()) names.push_back(row.name);
  return names;
}

Options Options::completed_by(const Options& others) const {
  Options completed = *this;
  for (const OptionRow& row : option_rows())
    if (row.is_default(*this)) row.copy(others, completed);
  return completed;
}

std::string to_string(const Options& options) {
  std::vector<std::string> settings;
  for (const OptionRow& row : option_rows())
    if (!row.is_default(options)) settings.push_back(row.name + "=" + row.print(options));
  return settings.empty() ? "auto" : fmt::format("{}", fmt::join(settings, ", "));
}

}  // namespace weft
