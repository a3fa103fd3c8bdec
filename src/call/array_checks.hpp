// Finds mistakes in the arrays of a transform before anything runs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <weft/fields.hpp>
#include <weft/layout.hpp>

#include "device/device.hpp"
#include "view/view.hpp"

namespace weft {

/// The memory of a rank's array from its first element on.
struct ArrayMemory {
  std::size_t bytes = 0;    ///< from the first element to the last, both included
  std::size_t element = 1;  ///< bytes of each
  std::size_t step = 1;     ///< offsets of elements are multiples of it
};

/// Whether two arrays have elements in common.
bool overlap(const void* a, const ArrayMemory& a_memory, const void* b,
             const ArrayMemory& b_memory);

/// Throws unless the elements given are of the plan's type. `what` names them for the message.
void check_element_type(const std::string& what, ElementType given, ElementType own);

/// Throws if the elements are only moved, and no numbers: for calls that compute.
void require_numbers(const std::string& call, ElementType type);

ArrayMemory memory_of(const Layout& layout, int rank, const Element& element);

/// One end of a call.
struct ArrayEnd {
  std::span<const RawArray> fields;
  ElementType type;      ///< the plan's
  ArrayMemory memory;    ///< of each field
  const Device& device;  ///< where the plan's own arrays lie
};

/// Throws unless each field's arrays have the plan's type. Where this rank holds data, they must
/// exist and be large enough. Where a device's kernels use them, they must be aligned. No two
/// arrays may overlap, except that in[f] may be out[f]. `call` names the caller for the message.
void check_arrays(const std::string& call, const ArrayEnd& in, const ArrayEnd& out);

/// Throws if two elements of this rank's array share memory. `which` names it for the message.
void check_strides(const std::string& which, const Layout& layout, int rank);

}  // namespace weft
