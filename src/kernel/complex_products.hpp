// Products of complex lines, element by element, for lines that are in the cache.
#pragma once

#include <cstddef>
#include <weft/transform.hpp>

namespace weft {

/// line[k] *= first[k] second[k] for k < count, complex numbers of that precision. `second` may be
/// null: 1.
void multiply_line(std::byte* line, const std::byte* first, const std::byte* second, Index count,
                   Precision precision);

}  // namespace weft
