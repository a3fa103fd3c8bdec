// Options as a string: one table of keys, each with how it prints and how it parses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <weft/options.hpp>

#include "device/device.hpp"
#include "exchange/exchange.hpp"
#include "layout/enumerators.hpp"
#include "layout/names.hpp"

namespace weft {
namespace {

/// The names of an enumeration's values, in its order: what is printed and what is parsed.
using Names = std::vector<std::string>;
Names names_of(Decomposition) { return {"auto", "slab", "pencil", "brick"}; }
Names names_of(OutputLayout) { return {"transposed", "natural"}; }
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

template <class Number>
Number parse_number(const std::string& key, const std::string& value, Number least) {
  Number number{};
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc{} || end != value.data() + value.size() || number < least)
    fail(key, value, fmt::format("valid is a whole number from {}", least));
  return number;
}

double parse_positive(const std::string& key, const std::string& value) {
  double number = 0;
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc{} || end != value.data() + value.size() || !(number >= 0))
    fail(key, value, "valid is a number from 0");
  return number;
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
  std::vector<int> grid;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = value.find('x', begin);
    grid.push_back(parse_number<int>(key, value.substr(begin, end - begin), 1));
    if (end == std::string::npos) return grid;
    begin = end + 1;
  }
}

std::string active_ranks_text(const Options& options) {
  if (options.active_ranks == Options::chosen) return "auto";
  return options.active_ranks == 0 ? "all" : fmt::format("{}", options.active_ranks);
}

void parse_active_ranks(Options& options, const std::string& value) {
  if (value == "all" || value == "auto")
    options.active_ranks = value == "all" ? 0 : Options::chosen;
  else
    options.active_ranks = parse_number<int>("active_ranks", value, 1);
}

struct Key {
  std::string name;
  std::function<std::string(const Options&)> print;
  std::function<void(Options&, const std::string&)> parse;
};

template <class Enum>
Key name_key(std::string key, Enum Options::*member) {
  return {key, [=](const Options& options) { return name_of(options.*member, key); },
          [=](Options& options, const std::string& value) {
            options.*member = parse_name<Enum>(key, value);
          }};
}

template <class Number>
Key number_key(std::string key, Number Options::*member, Number least) {
  return {key, [=](const Options& options) { return fmt::format("{}", options.*member); },
          [=](Options& options, const std::string& value) {
            options.*member = parse_number<Number>(key, value, least);
          }};
}

Key text_key(std::string key, std::string Options::*member,
             std::function<std::vector<std::string>()> names) {
  return {key, [=](const Options& options) { return options.*member; },
          [=](Options& options, const std::string& value) {
            std::vector<std::string> valid = names();
            if (Options().*member == "auto") valid.insert(valid.begin(), "auto");
            if (std::ranges::find(valid, value) == valid.end())
              fail(key, value, valid_instead_of(value, valid));
            options.*member = value;
          }};
}

/// "auto", a method, or several with slashes between them.
void parse_exchange(Options& options, const std::string& value) {
  const std::vector<std::string> valid = all_exchange_names();
  for (const std::string& name : exchange_list(value))
    if (value != "auto" && std::ranges::find(valid, name) == valid.end())
      fail("exchange", name, valid_instead_of(name, valid, "valid are auto,"));
  options.exchange = value;
}

/// A device need not be there: options may be written for another machine.
void parse_device(Options& options, const std::string& value) {
  if (!is_device_name(value))
    fail("device", value, fmt::format("valid are {}", fmt::join(valid_device_names(), ", ")));
  options.device = value;
}

const std::vector<Key>& keys() {
  static const std::vector<Key> table{
      name_key("decomposition", &Options::decomposition),
      {"grid", [](const Options& o) { return fmt::format("{}", fmt::join(o.grid, "x")); },
       [](Options& o, const std::string& value) { o.grid = parse_grid("grid", value); }},
      {"active_ranks", active_ranks_text, parse_active_ranks},
      {"partition", [](const Options& o) { return to_string(o.partition); },
       [](Options& o, const std::string& value) { o.partition = parse_partition(value); }},
      name_key("output", &Options::output),
      {"exchange", [](const Options& o) { return o.exchange; }, parse_exchange},
      {"device", [](const Options& o) { return o.device; }, parse_device},
      name_key("device_path", &Options::device_path),
      text_key("engine", &Options::engine, all_engine_names),
      name_key("effort", &Options::effort),
      {"tuning_seconds", [](const Options& o) { return fmt::format("{}", o.tuning_seconds); },
       [](Options& o, const std::string& value) {
         o.tuning_seconds = parse_positive("tuning_seconds", value);
       }},
      name_key("engine_effort", &Options::engine_effort),
      number_key("threads", &Options::threads, 1),
      number_key("producer_chunks", &Options::producer_chunks, 0),
      number_key("consumer_chunks", &Options::consumer_chunks, 0),
      name_key("schedule", &Options::schedule),
      {"start_share", [](const Options& o) { return fmt::format("{}", o.start_share); },
       [](Options& o, const std::string& value) {
         o.start_share = parse_positive("start_share", value);
       }},
      name_key("start_order", &Options::start_order),
      name_key("pack_order", &Options::pack_order),
      number_key("in_flight", &Options::in_flight, 0),
      name_key("progress", &Options::progress),
      number_key("poll_tiles", &Options::poll_tiles, 1),
      name_key("arrays", &Options::arrays),
      name_key("wire", &Options::wire),
      {"wire_error", [](const Options& o) { return fmt::format("{}", o.wire_error); },
       [](Options& o, const std::string& value) {
         o.wire_error = parse_positive("wire_error", value);
       }},
      number_key("fields", &Options::fields, 1),
      name_key("errors", &Options::errors),
      {"check_calls", [](const Options& o) { return o.check_calls ? "1" : "0"; },
       [](Options& o, const std::string& value) {
         o.check_calls = parse_switch("check_calls", value);
       }},
      {"verify", [](const Options& o) { return o.verify ? "1" : "0"; },
       [](Options& o, const std::string& value) { o.verify = parse_switch("verify", value); }},
      {"stall_seconds", [](const Options& o) { return fmt::format("{}", o.stall_seconds); },
       [](Options& o, const std::string& value) {
         o.stall_seconds = parse_positive("stall_seconds", value);
       }},
      {"stall_limit", [](const Options& o) { return fmt::format("{}", o.stall_limit); },
       [](Options& o, const std::string& value) {
         o.stall_limit = parse_positive("stall_limit", value);
       }},
      text_key("inter_node", &Options::inter_node, inter_node_names),
      number_key("ranks_per_node", &Options::ranks_per_node, 0),
      number_key("count_limit", &Options::count_limit, Index{0})};
  return table;
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
  const auto found = std::ranges::find(keys(), name, &Key::name);
  if (equals == std::string::npos || found == keys().end())
    throw Error(fmt::format(
        "options: \"{}\": {}", setting,
        valid_instead_of(name, option_keys(), "valid is key=value with one of the keys")));
  found->parse(options, setting.substr(equals + 1));
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
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = settings.find(',', begin);
    apply_setting(options, settings.substr(begin, end - begin));
    if (end == std::string::npos) return options;
    begin = end + 1;
  }
}

std::vector<std::string> option_keys() {
  std::vector<std::string> names;
  for (const Key& key : keys()) names.push_back(key.name);
  return names;
}

Options Options::completed_by(const Options& others) const {
  const Options defaults;
  Options completed = *this;
  for (const Key& key : keys())
    if (key.print(*this) == key.print(defaults) && key.print(others) != key.print(defaults))
      key.parse(completed, key.print(others));
  return completed;
}

std::string to_string(const Options& options) {
  const Options defaults;
  std::vector<std::string> settings;
  for (const Key& key : keys())
    if (key.print(options) != key.print(defaults))
      settings.push_back(key.name + "=" + key.print(options));
  return settings.empty() ? "auto" : fmt::format("{}", fmt::join(settings, ", "));
}

}  // namespace weft
