// What a transform means: validation, shapes and scales; and the names of kinds and precisions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

#include "plan/kinds.hpp"

namespace weft {
namespace {

constexpr std::array kind_names{"none", "c2c",  "r2c",  "c2r",  "dct1", "dct2",
                                "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"};

bool is_half_complex(Kind kind) { return kind == Kind::r2c || kind == Kind::c2r; }

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
    if (kind == Kind::none) throw Error("kind none: name a transform");
  }
  if (is_half_complex(kind) && !chosen.empty()) kinds[chosen.back()] = kind;
}

Transform::Transform(const Shape& shape, std::vector<Kind> kinds, Precision precision)
    : shape(shape), kinds(std::move(kinds)), precision(precision) {}

Shape Transform::spectral_shape() const {
  Shape result = shape;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (is_half_complex(kinds[axis])) result[axis] = shape[axis] / 2 + 1;
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
  if (std::ranges::count_if(transform.kinds, is_half_complex) > 1)
    throw Error("kinds: r2c or c2r on more than one axis; use it on one and c2c on the others");
  for (int axis = 0; axis < transform.shape.size(); ++axis)
    if (transform.kinds[axis] == Kind::dct1 && transform.shape[axis] < 2)
      throw Error(fmt::format("dct1 along axis {}: length {} is too short; DCT-I needs at least 2",
                              axis, transform.shape[axis]));
  const double factor = transform.scale.factor;
  if (transform.scale.rule == Scale::Rule::number && (!std::isfinite(factor) || factor == 0))
    throw Error(fmt::format("scale {}: must be finite and not zero", factor));
}

std::string to_string(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

Kind parse_kind(const std::string& name) {
  const auto found = std::ranges::find(kind_names, name);
  if (found == kind_names.end())
    throw Error(fmt::format("kind \"{}\": valid are {}", name, fmt::join(kind_names, ", ")));
  return static_cast<Kind>(found - kind_names.begin());
}

std::string to_string(Precision precision) {
  return precision == Precision::double_ ? "double" : "float";
}

Precision parse_precision(const std::string& name) {
  if (name == "double") return Precision::double_;
  if (name == "float") return Precision::single_;
  throw Error(fmt::format("precision \"{}\": valid are double, float", name));
}

std::string to_string(const Scale& scale) {
  switch (scale.rule) {
    case Scale::Rule::backward:
      return "backward";
    case Scale::Rule::ortho:
      return "ortho";
    case Scale::Rule::forward:
      return "forward";
    case Scale::Rule::number:
      break;
  }
  return fmt::format("{}", scale.factor);
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
