// Each message names the call, the array and what is valid.
#include "session/array_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <weft/error.hpp>

namespace weft {
namespace {

void require_there(const std::string& call, const char* which, const void* array,
                   std::size_t bytes) {
  if (array == nullptr && bytes > 0)
    throw Error(
        fmt::format("{}: {} is null, but this rank holds {} bytes of it", call, which, bytes));
}

std::string name_of(ElementType type) {
  const std::string precision = to_string(type.precision);
  return type.real ? precision : fmt::format("std::complex<{}>", precision);
}

}  // namespace

void check_element_type(const std::string& what, ElementType given, ElementType own) {
  if (given != own)
    throw Error(fmt::format("{}: elements of type {} given; this plan's are {}", what,
                            name_of(given), name_of(own)));
}

/// Components of a vector field interleave: their ranges
/// overlap, but modulo the step their elements do not.
bool overlap(const void* a, const ArrayMemory& a_memory, const void* b,
             const ArrayMemory& b_memory) {
  const auto first = reinterpret_cast<std::uintptr_t>(a);
  const auto second = reinterpret_cast<std::uintptr_t>(b);
  if (first >= second + b_memory.bytes || second >= first + a_memory.bytes) return false;
  const std::size_t step = std::gcd(a_memory.step, b_memory.step);
  const std::size_t distance = (second % step + step - first % step) % step;
  return distance < a_memory.element || distance + b_memory.element > step;
}

ArrayMemory memory_of(const Layout& layout, int rank, const Element& element) {
  const Shape extents = layout.box(rank).extents();
  const PerAxis<Index> strides = layout.strides(rank);
  Index step = 0;
  for (int axis = 0; axis < extents.size(); ++axis)
    if (extents[axis] > 1) step = std::gcd(step, strides[axis]);
  const auto bytes = [&](Index elements) {
    return static_cast<std::size_t>(elements * element.bytes());
  };
  return {bytes(memory_span(extents, strides)), bytes(1), bytes(std::max<Index>(step, 1))};
}

void check_arrays(const std::string& call, std::span<const void* const> in,
                  const ArrayMemory& in_memory, std::span<void* const> out,
                  const ArrayMemory& out_memory) {
  for (std::size_t field = 0; field < in.size(); ++field) {
    require_there(call, "the input", in[field], in_memory.bytes);
    require_there(call, "the output", out[field], out_memory.bytes);
    for (std::size_t other = 0; other < in.size(); ++other) {
      const bool in_place = field == other && in[field] == out[field];
      if (!in_place && overlap(in[other], in_memory, out[field], out_memory))
        throw Error(
            fmt::format("{}: input and output overlap; pass the same pointer for in place, or "
                        "arrays apart from each other",
                        call));
      if (field != other && overlap(out[other], out_memory, out[field], out_memory))
        throw Error(fmt::format("{}: the outputs of fields {} and {} overlap", call, field, other));
    }
  }
}

void check_round_trip_arrays(const void* in, std::span<void* const> outs,
                             const ArrayMemory& memory) {
  require_there("apply", "the input", in, memory.bytes);
  for (std::size_t a = 0; a < outs.size(); ++a) {
    require_there("apply", "an output", outs[a], memory.bytes);
    bool apart = (outs.size() == 1 && outs[a] == in) || !overlap(outs[a], memory, in, memory);
    for (std::size_t b = 0; b < a; ++b) apart = apart && !overlap(outs[a], memory, outs[b], memory);
    if (!apart)
      throw Error(
          "apply: arrays overlap; pass the same pointer for in place (with one output), or "
          "arrays apart from each other");
  }
}

/// Sorted by stride, each must step over all that the smaller ones reach. Stranger strides that
/// keep elements apart are refused too: no array has them.
void check_strides(const std::string& which, const Layout& layout, int rank) {
  if (!layout.has_gaps() || layout.box(rank).empty()) return;
  const Shape extents = layout.box(rank).extents();
  const PerAxis<Index> strides = layout.strides(rank);
  const Order natural = natural_order(extents.size());
  std::vector<int> axes(natural.begin(), natural.end());
  std::ranges::stable_sort(axes, {}, [&](int axis) { return strides[axis]; });
  Index reach = 1;
  for (int axis : axes) {
    if (extents[axis] > 1 && strides[axis] < reach)
      throw Error(fmt::format(
          "{} layout: with strides {} elements of the {} box share memory; the stride of axis {} "
          "must be at least {}",
          which, to_string(strides), to_string(extents), axis, reach));
    reach += (std::max<Index>(extents[axis], 1) - 1) * strides[axis];
  }
}

}  // namespace weft
