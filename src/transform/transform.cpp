// Validation, shapes and scales of transforms, and the names of kinds and precisions. Checks here
// are thorough, so that later stages can trust a transform.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

#include "layout/enumerators.hpp"
#include "transform/kinds.hpp"
#include "transform/modes.hpp"

namespace weft {
namespace {

constexpr std::array precision_names{"float", "double"};
constexpr std::array dropped_names{"absent", "zero"};
constexpr std::array rule_names{"backward", "ortho", "forward", "number"};

void check_enumerators(const Transform& transform) {
  for (const Kind kind : transform.kinds) to_string(kind);
  to_string(transform.precision);
  to_string(transform.scale);
  to_string(transform.dropped);
}

/// Checks kept modes and the ellipse. mode_map checks the modes of each axis by itself.
void check_modes(const Transform& transform) {
  const auto axes = static_cast<std::size_t>(transform.shape.size());
  if (!transform.modes.empty() && transform.modes.size() != axes)
    throw Error(fmt::format("modes: {} given for the {} axes of shape {}", transform.modes.size(),
                            axes, to_string(transform.shape)));
  if (!transform.ellipse.empty() && transform.ellipse.size() != axes)
    throw Error(fmt::format("ellipse: {} radii given for the {} axes of shape {}",
                            transform.ellipse.size(), axes, to_string(transform.shape)));
  const auto round =
      std::ranges::count_if(transform.ellipse, [](double radius) { return radius > 0; });
  if (round == 1 || round > 3)
    throw Error(fmt::format("ellipse: {} axes have a radius; valid are 2 or 3", round));
  for (int axis = 0; axis < transform.shape.size(); ++axis) {
    const Kind kind = transform.kinds[axis];
    const Modes modes = transform.modes.empty() ? Modes{} : transform.modes[axis];
    const double radius = transform.ellipse.empty() ? 0 : transform.ellipse[axis];
    if (!std::isfinite(radius) || radius < 0)
      throw Error(fmt::format("ellipse along axis {}: radius {}: must be at least 0, and finite",
                              axis, radius));
    const bool asks = modes != Modes{} || radius > 0;
    if (asks && (kind == Kind::none || kind == Kind::r2c_packed))
      throw Error(
          fmt::format("modes along axis {}: kind {} keeps all modes", axis, to_string(kind)));
    if (modes != Modes{} && radius > 0)
      throw Error(
          fmt::format("modes along axis {}: the axis also has a radius of the ellipse; "
                      "give only one of the two",
                      axis));
    if (modes.grid != 0 && !modes.ranges.empty())
      throw Error(fmt::format(
          "modes along axis {}: both ranges and a grid; give only one of the two", axis));
    if (modes.grid != 0 && transform.dropped == Dropped::zero)
      throw Error(
          fmt::format("modes along axis {}: a grid's modes form a smaller array; only "
                      "valid with dropped=absent",
                      axis));
  }
  mode_maps(transform);
}

void check_element_bytes(const Transform& transform) {
  constexpr std::array valid{0, 1, 2, 4, 8, 16};
  const int bytes = transform.element_bytes;
  if (std::ranges::find(valid, bytes) == valid.end())
    throw Error(fmt::format("bytes {}: valid are 1, 2, 4, 8 and 16, or 0 for numbers", bytes));
  if (bytes == 0) return;
  for (const Kind kind : transform.kinds)
    if (kind != Kind::none)
      throw Error(
          fmt::format("bytes {}: kind {} transforms numbers; elements of any type are only valid "
                      "with kind none",
                      bytes, to_string(kind)));
  if (transform.scale.rule == Scale::Rule::number)
    throw Error(fmt::format("bytes {}: scale {}; elements of any type are moved as they are", bytes,
                            to_string(transform.scale)));
}

}  // namespace

Transform::Transform(const Shape& shape, Kind kind, const std::vector<int>& axes,
                     Precision precision)
    : shape(shape), kinds(shape.size(), Kind::none), precision(precision) {
  std::vector<int> chosen = axes;
  if (chosen.empty())
    for (int axis = 0; axis < shape.size(); ++axis) chosen.push_back(axis);
  for (int& axis : chosen) {
    if (axis < -shape.size() || axis >= shape.size())
      throw Error(fmt::format("axes: {} is not an axis of shape {}", axis, to_string(shape)));
    if (axis < 0) axis += shape.size();
    if (kinds[axis] != Kind::none) throw Error(fmt::format("axes: axis {} is named twice", axis));
    kinds[axis] = is_half_complex(kind) ? Kind::c2c : kind;
  }
  if (is_half_complex(kind) && !chosen.empty()) kinds[chosen.back()] = kind;
}

Transform::Transform(const Shape& shape, std::vector<Kind> kinds, Precision precision)
    : shape(shape), kinds(std::move(kinds)), precision(precision) {}

Shape Transform::spectral_shape() const {
  Shape result;
  for (const ModeMap& map : mode_maps(*this))
    result.push_back(dropped == Dropped::zero ? map.room() : map.kept);
  return result;
}

std::vector<Index> Transform::wavenumbers(int axis) const {
  if (axis < 0 || axis >= shape.size())
    throw Error(fmt::format("wavenumbers: {} is not an axis of shape {}", axis, to_string(shape)));
  std::vector<Index> result;
  const ModeMap map = mode_map(*this, axis);
  const std::vector<ModeRun> all{{0, 0, map.room()}};
  for (const ModeRun& run : dropped == Dropped::zero ? all : map.runs)
    for (Index i = 0; i < run.count; ++i)
      result.push_back(wavenumber_of(*this, axis, run.mode + i));
  return result;
}

bool Transform::physical_is_real() const {
  return std::ranges::any_of(kinds, is_half_complex) || spectral_is_real();
}

bool Transform::spectral_is_real() const {
  return std::ranges::none_of(kinds,
                              [](Kind kind) { return is_half_complex(kind) || kind == Kind::c2c; });
}

double Transform::logical_size() const {
  double size = 1;
  for (int axis = 0; axis < shape.size(); ++axis) size *= logical_length(kinds[axis], shape[axis]);
  return size;
}

void validate(const Transform& transform) {
  Layout::slabs(transform.shape, 1);  // checks the lengths
  if (static_cast<int>(transform.kinds.size()) != transform.shape.size())
    throw Error(fmt::format("kinds: {} given for the {} axes of shape {}", transform.kinds.size(),
                            transform.shape.size(), to_string(transform.shape)));
  check_enumerators(transform);
  if (std::ranges::count_if(transform.kinds, is_half_complex) > 1)
    throw Error("kinds: r2c or c2r on more than one axis; use it on one and c2c on the others");
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    require_length(transform.kinds[axis], transform.shape[axis], axis);
  check_modes(transform);
  check_element_bytes(transform);
  const double factor = transform.scale.factor;
  if (transform.scale.rule == Scale::Rule::number && (!std::isfinite(factor) || factor == 0))
    throw Error(fmt::format("scale {}: must be finite and not zero", factor));
}

std::string to_string(Precision precision) {
  return name_of(precision, precision_names, "precision");
}

Precision parse_precision(const std::string& name) {
  if (name == "double") return Precision::double_;
  if (name == "float") return Precision::single_;
  throw Error(fmt::format("precision \"{}\": valid are double, float", name));
}

std::string to_string(const Modes& modes) {
  if (modes.grid != 0) return fmt::format("grid {}", modes.grid);
  if (modes.ranges.empty()) return "all";
  std::string text;
  for (const Modes::Range& range : modes.ranges)
    text += fmt::format("{}{}..{}", text.empty() ? "" : "+", range.first, range.last);
  return text;
}

namespace {

/// Reads the number at the start of `text` and removes it from there; false if there is none.
bool take_number(std::string_view& text, Index& number) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

Modes parse_modes(const std::string& text, Index length) {
  if (text == "all") return {};
  if (text == "2/3") return Modes::up_to(length / 3);
  Modes modes;
  std::string_view left = text;
  bool understood = true;
  if (take(left, "grid ")) {
    understood = take_number(left, modes.grid) && modes.grid > 0;
  } else {
    do {
      Modes::Range& range = modes.ranges.emplace_back();
      understood = take_number(left, range.first);
      if (understood && left.empty() && modes.ranges.size() == 1 && range.first >= 0)
        return Modes::up_to(range.first);
      understood = understood && take(left, "..") && take_number(left, range.last);
    } while (understood && take(left, "+"));
  }
  if (!understood || !left.empty())
    throw Error(
        fmt::format("modes \"{}\": valid are all, 85 (|k| <= 85), 2/3, ranges such as "
                    "-8..-3+3..8, or grid 128",
                    text));
  return modes;
}

std::string to_string(Dropped dropped) { return name_of(dropped, dropped_names, "dropped"); }

Dropped parse_dropped(const std::string& name) {
  if (name == "absent") return Dropped::absent;
  if (name == "zero") return Dropped::zero;
  throw Error(fmt::format("dropped \"{}\": valid are absent, zero", name));
}

std::string to_string(const Scale& scale) {
  const std::string rule = name_of(scale.rule, rule_names, "scale");
  return scale.rule == Scale::Rule::number ? fmt::format("{}", scale.factor) : rule;
}

Scale parse_scale(const std::string& text) {
  if (text == "backward") return {Scale::Rule::backward};
  if (text == "ortho") return {Scale::Rule::ortho};
  if (text == "forward") return {Scale::Rule::forward};
  double factor = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(factor) ||
      factor == 0)
    throw Error(fmt::format(
        "scale \"{}\": valid are backward, ortho, forward or a number that is not zero", text));
  return {Scale::Rule::number, factor};
}

}  // namespace weft
