// Products of complex lines, element by element, for lines that are in the cache.
#pragma once

#include <cstddef>
#include <weft/transform.hpp>

namespace weft {

/// line[k] *= factors[k % fine] factors[fine + k / fine] for k < count, complex numbers of that
/// precision.
void multiply_line(std::byte* line, const std::byte* factors, Index fine, Index count,
                   Precision precision);

}  // namespace weft
