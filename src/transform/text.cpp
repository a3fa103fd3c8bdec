// Converts transforms to text and back, with one table that pairs each setting's reader with its
// printer, so that the two cannot diverge.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>
#include <vector>
#include <weft/transform.hpp>

#include "layout/names.hpp"
#include "transform/settings.hpp"

namespace weft {
namespace {

/// The settings read so far. Values that have a part for each axis stay text until the shape is
/// known.
struct Settings {
  std::string kinds, axes, modes, ellipse;
  Transform transform;
};

/// Replaces a character: settings are separated by spaces, so "grid 128" is written grid_128.
std::string exchanged(std::string text, char from, char to) {
  std::ranges::replace(text, from, to);
  return text;
}

template <class Number>
Number parse_number(const std::string& name, const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, number);
      read.ec != std::errc() || read.ptr != end)
    throw Error(fmt::format(
        "{}: \"{}\" is not a number; valid are numbers with commas between them", name, text));
  return number;
}

/// Reads a part for each axis, from a text with commas or one part for all.
template <class Read>
auto for_each_axis(const std::string& name, const std::string& text, const Shape& shape,
                   Read&& read) {
  std::vector<std::string> parts = parts_of(text, ',');
  if (parts.size() == 1) parts.resize(shape.size(), parts.front());
  if (std::ssize(parts) != shape.size())
    throw Error(fmt::format(
        "{} \"{}\": has {} parts for the {} axes of shape {}; valid is one for all axes, "
        "or one for each",
        name, text, parts.size(), shape.size(), to_string(shape)));
  std::vector<decltype(read(0, parts.front()))> values;
  for (int axis = 0; axis < shape.size(); ++axis) values.push_back(read(axis, parts[axis]));
  return values;
}

/// The same for settings of transformed axes: one part for all leaves out axes of kind none, whose
/// value is Value().
template <class Value, class Read>
std::vector<Value> for_transformed_axes(const std::string& name, const std::string& text,
                                        const Transform& transform, Read&& read) {
  if (text.empty()) return {};
  const bool is_for_all = parts_of(text, ',').size() == 1;
  return for_each_axis(name, text, transform.shape, [&](int axis, const std::string& part) {
    const bool is_left_out = is_for_all && transform.kinds[axis] == Kind::none;
    return is_left_out ? Value() : Value(read(axis, part));
  });
}

/// The texts of all axes, joined by commas; "" if there is nothing to print.
template <class Text>
std::string for_axes(const Transform& transform, bool plain, Text&& text) {
  std::vector<std::string> parts;
  for (int axis = 0; axis < transform.shape.size(); ++axis) parts.push_back(text(axis));
  return plain ? std::string() : fmt::format("{}", fmt::join(parts, ","));
}

void set_kinds(Settings& read, const std::string& kinds) {
  if (!read.kinds.empty())
    throw Error("transform: kinds are given twice; valid is either kind= or kinds=, once");
  read.kinds = kinds;
}

struct Setting {
  std::string name;
  std::function<void(Settings&, const std::string&)> read;
  std::function<std::string(const Transform&)> print;  ///< "" if it has its default value
};

const std::vector<Setting>& settings() {
  const auto nothing = [](const Transform&) { return std::string(); };
  static const std::vector<Setting> table{
      {"shape", [](Settings& s, const std::string& v) { s.transform.shape = parse_shape(v); },
       [](const Transform& t) { return to_string(t.shape); }},
      {"kind", set_kinds, nothing},
      {"axes", [](Settings& s, const std::string& v) { s.axes = v; }, nothing},
      {"kinds", set_kinds,
       [](const Transform& t) {
         return for_axes(t, false, [&](int axis) { return to_string(t.kinds[axis]); });
       }},
      {"precision",
       [](Settings& s, const std::string& v) { s.transform.precision = parse_precision(v); },
       [](const Transform& t) {
         return t.precision == Precision::double_ ? std::string() : to_string(t.precision);
       }},
      {"scale", [](Settings& s, const std::string& v) { s.transform.scale = parse_scale(v); },
       [](const Transform& t) {
         const std::string text = to_string(t.scale);
         return text == to_string(Scale()) ? std::string() : text;
       }},
      {"norm", [](Settings& s, const std::string& v) { s.transform.scale = parse_scale(v); },
       nothing},
      {"modes", [](Settings& s, const std::string& v) { s.modes = v; },
       [](const Transform& t) {
         return for_axes(t, t.modes.empty(), [&](int axis) {
           return t.modes.empty()
                      ? std::string()
                      : exchanged(to_string(t.modes[static_cast<std::size_t>(axis)]), ' ', '_');
         });
       }},
      {"ellipse", [](Settings& s, const std::string& v) { s.ellipse = v; },
       [](const Transform& t) { return fmt::format("{}", fmt::join(t.ellipse, ",")); }},
      {"dropped", [](Settings& s, const std::string& v) { s.transform.dropped = parse_dropped(v); },
       [](const Transform& t) {
         return t.dropped == Dropped::absent ? std::string() : to_string(t.dropped);
       }},
      {"bytes",
       [](Settings& s, const std::string& v) {
         s.transform.element_bytes = parse_number<int>("bytes", v);
       },
       [](const Transform& t) {
         return t.element_bytes == 0 ? std::string() : std::to_string(t.element_bytes);
       }}};
  return table;
}

void read_setting(Settings& read, const std::string& setting) {
  const std::size_t equals = std::min(setting.find('='), setting.size());
  const std::string name = setting.substr(0, equals);
  const auto found = std::ranges::find(settings(), name, &Setting::name);
  if (equals == setting.size() || found == settings().end())
    throw Error(fmt::format(
        "transform \"{}\": {}", setting,
        valid_instead_of(name, transform_keys(), "valid is name=value with one of the names")));
  found->read(read, setting.substr(equals + 1));
}

/// One for all axes, or for those in axes=; or one for each.
std::vector<Kind> kinds_of(const Settings& read) {
  const Shape& shape = read.transform.shape;
  if (read.kinds.empty())
    throw Error("transform: has no kind; valid is kind=, for all axes or for those in axes=");
  if (read.kinds.find(',') == std::string::npos) {
    std::vector<int> axes;
    for (const std::string& axis : parts_of(read.axes, ','))
      axes.push_back(parse_number<int>("axes", axis));
    return Transform(shape, parse_kind(read.kinds), axes).kinds;
  }
  if (!read.axes.empty())
    throw Error(fmt::format(
        "axes \"{}\": kind \"{}\" names every axis already; valid is no axes=, and kind "
        "none for an axis that is not transformed",
        read.axes, read.kinds));
  return for_each_axis("kind", read.kinds, shape,
                       [](int, const std::string& name) { return parse_kind(name); });
}

std::vector<Modes> modes_of(const Settings& read) {
  const auto modes_along = [&](int axis, const std::string& text) {
    return parse_modes(exchanged(text, '_', ' '), read.transform.shape[axis]);
  };
  return for_transformed_axes<Modes>("modes", read.modes, read.transform, modes_along);
}

std::vector<double> ellipse_of(const Settings& read) {
  const auto radius_along = [](int, const std::string& text) {
    return parse_number<double>("ellipse", text);
  };
  return for_transformed_axes<double>("ellipse", read.ellipse, read.transform, radius_along);
}

}  // namespace

std::vector<std::string> transform_keys() {
  std::vector<std::string> names;
  for (const Setting& known : settings()) names.push_back(known.name);
  return names;
}

std::vector<std::string> settings_in(const std::string& text) {
  std::vector<std::string> settings;
  bool goes_on = false;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool has_comma = word.ends_with(',');
    while (word.ends_with(',')) word.pop_back();
    if (goes_on && word.find('=') == std::string::npos && word != "auto")
      settings.back() += (word.empty() ? "" : ",") + word;
    else if (!word.empty())
      settings.push_back(word);
    goes_on = has_comma && !settings.empty();
  }
  return settings;
}

std::vector<std::string> parts_of(const std::string& list, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

Transform Transform::parse(const std::string& text) {
  Settings read;
  for (const std::string& setting : settings_in(text)) read_setting(read, setting);
  if (read.transform.shape.empty())
    throw Error("transform: has no shape; valid is, for example, shape=64x64x64 kind=r2c");
  read.transform.kinds = kinds_of(read);
  read.transform.modes = modes_of(read);
  read.transform.ellipse = ellipse_of(read);
  validate(read.transform);
  return read.transform;
}

std::string to_string(const Transform& transform) {
  std::string text;
  for (const Setting& setting : settings())
    if (const std::string value = setting.print(transform); !value.empty())
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", setting.name, value);
  return text;
}

}  // namespace weft
