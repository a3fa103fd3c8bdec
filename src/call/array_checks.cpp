// Each message names the call, the array and what is valid.
#include "call/array_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <weft/error.hpp>

namespace weft {
namespace {

std::string name_of(ElementType type) {
  if (type.plain_bytes > 0) return fmt::format("{} bytes", type.plain_bytes);
  const std::string precision = to_string(type.precision);
  return type.real ? precision : fmt::format("std::complex<{}>", precision);
}

/// Devices move whole numbers: kernels that are given others fail, and nothing runs after them.
void check_alignment(const std::string& call, const char* which, const RawArray& array,
                     const ArrayEnd& end) {
  const std::size_t element = end.memory.element;
  const auto address = reinterpret_cast<std::uintptr_t>(array.data);
  if (end.memory.bytes == 0 || address % element == 0 || !end.device.holds(array.data)) return;
  throw Error(
      fmt::format("{}: the {} is at address {:#x} of the device; valid are multiples of {}, "
                  "the bytes of an element of {}",
                  call, which, address, element, name_of(end.type)));
}

void check_each(const std::string& call, const char* which, const ArrayEnd& end) {
  for (const RawArray& array : end.fields) {
    if (array.mistake != nullptr)
      throw Error(fmt::format("{}: the {} {}", call, which, array.mistake));
    check_element_type(fmt::format("{}: {}", call, which), array.type, end.type);
    const std::size_t bytes = end.memory.bytes;
    if (array.data == nullptr && bytes > 0)
      throw Error(fmt::format("{}: the {} is null, but this rank holds {} bytes of it", call, which,
                              bytes));
    const std::size_t needed = bytes / end.memory.element;
    if (array.size != RawArray::unknown && static_cast<std::size_t>(array.size) < needed)
      throw Error(fmt::format("{}: the {} has {} elements; this rank needs {}", call, which,
                              array.size, needed));
    check_alignment(call, which, array, end);
  }
}

}  // namespace

void check_element_type(const std::string& what, ElementType given, ElementType own) {
  const bool fits = own.plain_bytes > 0 ? given.bytes() == own.plain_bytes : given == own;
  if (!fits)
    throw Error(fmt::format("{}: elements of type {} given; this plan's are {}", what,
                            name_of(given), name_of(own)));
}

void require_numbers(const std::string& call, ElementType type) {
  if (type.plain_bytes > 0)
    throw Error(fmt::format("{}: this plan moves elements of {} bytes; valid are plans of numbers",
                            call, type.plain_bytes));
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

void check_arrays(const std::string& call, const ArrayEnd& in, const ArrayEnd& out) {
  check_each(call, "input", in);
  check_each(call, "output", out);
  for (std::size_t field = 0; field < out.fields.size(); ++field) {
    const void* const target = out.fields[field].data;
    for (std::size_t other = 0; other < in.fields.size(); ++other) {
      const void* const source = in.fields[other].data;
      const bool in_place = field == other && source == target;
      if (!in_place && overlap(source, in.memory, target, out.memory))
        throw Error(
            fmt::format("{}: input and output overlap; pass the same pointer for in place, or "
                        "arrays apart from each other",
                        call));
    }
    for (std::size_t other = 0; other < field; ++other)
      if (overlap(out.fields[other].data, out.memory, target, out.memory))
        throw Error(fmt::format("{}: the outputs of fields {} and {} overlap", call, other, field));
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
