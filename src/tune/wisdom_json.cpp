// Checks an entry by writing it again: the result must equal the text that was read. Even an
// unknown member therefore makes an entry invalid.
#include "tune/wisdom_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <weft/error.hpp>

namespace weft {

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Site, machine, mpi, ranks, ranks_per_node)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WisdomKey, site, transform, options, conditions)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Wisdom, options, measured_seconds, predicted_seconds,
                                   budget_seconds, candidates, date, version)

namespace {

constexpr int format_version = 3;

/// Whether text is free of control characters, which could garble the terminal when listed.
bool is_line(const std::string& text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Json parse_json(const std::string& text) {
  // Limits nesting: a malicious file of opening brackets must not create an object for each.
  const auto is_shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= 3; };
  try {
    return Json::parse(text, is_shallow);
  } catch (const Json::parse_error& error) {
    throw Error(fmt::format("is not complete JSON (byte {} of {})", error.byte, text.size()));
  } catch (const Json::out_of_range&) {
    throw Error("holds a number that is too large");
  }
}

template <class Entry>
Json json_of(const Entry& entry) {
  return {{"weft wisdom", format_version}, {"key", entry.first}, {"value", entry.second}};
}

/// `model` is a flattened default entry, which shows each member's type.
void check_values(const Json& file, const Json& model) {
  const Json members = file.flatten();
  for (const auto& [name, value] : members.items()) {
    if (!is_line(name)) throw Error("holds a name with control characters");
    if (value.is_string() && !is_line(value.get<std::string>()))
      throw Error(fmt::format("{:.80} holds control characters", name));
    if (value.is_number() && value < 0) throw Error(fmt::format("{:.80} is less than 0", name));
    // Checked before the conversion, which is undefined for values that do not fit into an int.
    if (model.contains(name) && model[name].is_number_integer() &&
        (!value.is_number_unsigned() || value > std::numeric_limits<int>::max()))
      throw Error(fmt::format("{:.80} is not a whole number below 2^31", name));
  }
}

}  // namespace

template <class Entry>
Entry parse_entry(const std::string& text) {
  try {
    const Json file = parse_json(text);
    if (!file.is_object() || !file.contains("weft wisdom")) throw Error("is not weft wisdom");
    if (file["weft wisdom"] != format_version)
      throw Error(fmt::format("is not of version {}", format_version));
    check_values(file, json_of(Entry()).flatten());
    Entry entry;
    file.at("key").get_to(entry.first);
    file.at("value").get_to(entry.second);
    if (json_of(entry) != file) throw Error("holds unexpected members");
    return entry;
  } catch (const Json::exception& error) {
    throw Error(error.what());
  }
}

template <class Entry>
std::string print_entry(const Entry& entry) {
  try {
    return json_of(entry).dump(2) + "\n";
  } catch (const Json::exception& error) {
    throw Error(error.what());
  }
}

template WisdomEntry parse_entry(const std::string&);
template FiguresEntry parse_entry(const std::string&);
template std::string print_entry(const WisdomEntry&);
template std::string print_entry(const FiguresEntry&);

}  // namespace weft
