// Nothing read is trusted: types, ranges and control characters are checked, entry by entry.
// Nothing is repaired; what is wrong is left out.
#include "tune/wisdom_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <weft/error.hpp>

namespace weft {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr const char* format_name = "weft wisdom";
constexpr int format_version = 1;
// So much of what is wrong is told; a file of nothing else must not fill the screen.
constexpr std::size_t most_complaints = 4;

// --- reading ---

template <class Test>
const Json& member(const Json& object, const char* name, const char* wanted, const Test& test) {
  const auto found = object.find(name);
  if (found == object.end()) throw Error(fmt::format("\"{}\" is missing", name));
  if (!test(*found)) throw Error(fmt::format("\"{}\" is not {}", name, wanted));
  return *found;
}

/// Control characters would run over the screen of whoever lists them.
bool is_line(const std::string& text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string text_of(const Json& object, const char* name) {
  return member(object, name, "a line of text",
                [](const Json& value) {
                  return value.is_string() && is_line(value.get_ref<const std::string&>());
                })
      .get<std::string>();
}

int count_of(const Json& object, const char* name, int least) {
  return member(object, name, least == 0 ? "a whole number from 0" : "a whole number from 1",
                [least](const Json& value) {
                  return value.is_number_unsigned() &&
                         value.get<std::uint64_t>() >= static_cast<std::uint64_t>(least) &&
                         value.get<std::uint64_t>() <= std::numeric_limits<int>::max();
                })
      .get<int>();
}

double seconds_of(const Json& object, const char* name) {
  return member(object, name, "a number from 0",
                [](const Json& value) {
                  return value.is_number() && std::isfinite(value.get<double>()) &&
                         value.get<double>() >= 0;
                })
      .get<double>();
}

Site site_of(const Json& entry) {
  return {text_of(entry, "machine"), text_of(entry, "mpi"), count_of(entry, "ranks", 1),
          count_of(entry, "ranks_per_node", 1)};
}

void read_wisdom(const Json& entry, WisdomContents& contents) {
  const WisdomKey key{site_of(entry), text_of(entry, "transform"), text_of(entry, "asked")};
  Wisdom wisdom;
  wisdom.options = text_of(entry, "options");
  wisdom.measured_seconds = seconds_of(entry, "measured_seconds");
  wisdom.predicted_seconds = seconds_of(entry, "predicted_seconds");
  wisdom.budget_seconds = seconds_of(entry, "budget_seconds");
  wisdom.candidates = count_of(entry, "candidates", 0);
  wisdom.date = text_of(entry, "date");
  wisdom.version = text_of(entry, "weft");
  contents.wisdom[key] = std::move(wisdom);
}

void read_figures(const Json& entry, WisdomContents& contents) {
  Figures figures;
  const auto is_object = [](const Json& value) { return value.is_object(); };
  for (const auto& [name, value] : member(entry, "figures", "an object", is_object).items()) {
    if (!is_line(name) || !value.is_number() || !std::isfinite(value.get<double>()))
      throw Error("one of the \"figures\" is not a name with a number");
    figures[name] = value.get<double>();
  }
  contents.figures[site_of(entry)] = std::move(figures);
}

/// The entries of a list, each read for itself.
void read_list(const Json& file, const char* list, const std::string& name,
               const std::function<void(const Json&, WisdomContents&)>& read_entry,
               WisdomContents& contents) {
  int number = 0;
  for (const Json& entry :
       member(file, list, "a list", [](const Json& value) { return value.is_array(); })) {
    ++number;
    try {
      if (!entry.is_object()) throw Error("it is not an object");
      read_entry(entry, contents);
    } catch (const Error& error) {
      contents.complaints.push_back(
          fmt::format("{}: {} {}: {}; this entry is ignored", name, list, number, error.what()));
    }
  }
}

Json read_json(const std::string& text) {
  if (text.empty()) throw Error("is empty");
  // A file of brackets alone must not become as many objects.
  const auto is_shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= 4; };
  try {
    return Json::parse(text, is_shallow);
  } catch (const Json::parse_error& error) {
    throw Error(
        fmt::format("is no JSON, or only a part of it (byte {} of {})", error.byte, text.size()));
  } catch (const Json::exception&) {
    throw Error("holds a number that is too large");
  }
}

void check_format(const Json& file) {
  const auto is_name = [](const Json& value) { return value == format_name; };
  const auto is_version = [](const Json& value) { return value == format_version; };
  if (!file.is_object() || !file.contains("format")) throw Error("is no wisdom of weft's");
  member(file, "format", "that of weft's wisdom", is_name);
  member(file, "version", "1, the one that this weft reads", is_version);
}

void limit(std::vector<std::string>& complaints, const std::string& name) {
  if (complaints.size() <= most_complaints) return;
  const std::size_t more = complaints.size() - most_complaints;
  complaints.resize(most_complaints);
  complaints.push_back(fmt::format("{}: {} more entries are damaged, and ignored", name, more));
}

// --- writing ---

OrderedJson print_site(const Site& site) {
  return {{"machine", site.machine},
          {"mpi", site.mpi},
          {"ranks", site.ranks},
          {"ranks_per_node", site.ranks_per_node}};
}

OrderedJson print_entry(const WisdomKey& key, const Wisdom& wisdom) {
  OrderedJson entry = print_site(key.site);
  entry["transform"] = key.transform;
  entry["asked"] = key.options;
  entry["options"] = wisdom.options;
  entry["measured_seconds"] = wisdom.measured_seconds;
  entry["predicted_seconds"] = wisdom.predicted_seconds;
  entry["budget_seconds"] = wisdom.budget_seconds;
  entry["candidates"] = wisdom.candidates;
  entry["date"] = wisdom.date;
  entry["weft"] = wisdom.version;
  return entry;
}

}  // namespace

WisdomContents parse_wisdom(const std::string& text, const std::string& name) {
  WisdomContents contents;
  try {
    const Json file = read_json(text);
    check_format(file);
    read_list(file, "wisdom", name, read_wisdom, contents);
    read_list(file, "machines", name, read_figures, contents);
  } catch (const Error& error) {
    contents.complaints.push_back(fmt::format("{}: {}; it is ignored", name, error.what()));
  }
  limit(contents.complaints, name);
  return contents;
}

std::string print_wisdom(const WisdomContents& contents) {
  OrderedJson file = {{"format", format_name}, {"version", format_version}};
  file["wisdom"] = OrderedJson::array();
  for (const auto& [key, wisdom] : contents.wisdom)
    file["wisdom"].push_back(print_entry(key, wisdom));
  file["machines"] = OrderedJson::array();
  for (const auto& [site, figures] : contents.figures) {
    OrderedJson entry = print_site(site);
    entry["figures"] = figures;
    file["machines"].push_back(std::move(entry));
  }
  return file.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace weft
