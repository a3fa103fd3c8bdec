// The arguments of a caller in one call.
#pragma once

#include <span>
#include <vector>
#include <weft/fields.hpp>
#include <weft/spectrum.hpp>

namespace weft {

/// Field f goes from in[f] to out[f].
struct TransformCall {
  Direction direction = Direction::forward;
  std::span<const RawArray> in;
  std::span<const RawArray> out;
  double scale = 1;

  bool is_in_place() const { return in.front().data == out.front().data; }
};

/// From one physical array to several, each through its own function.
struct ApplyCall {
  RawArray in;
  std::span<const RawArray> outs;
  ElementType spectrum_type;
  const std::vector<RawLineFunction>& functions;
};

/// From several physical arrays to several, through one function.
struct FieldsCall {
  std::span<const RawArray> ins;
  std::span<const RawArray> outs;
  ElementType spectrum_type;
  const RawFieldsFunction& function;
};

}  // namespace weft
