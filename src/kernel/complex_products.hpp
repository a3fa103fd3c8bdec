// Products of complex lines, element by element, for lines that are in the cache.
#pragma once

#include <cstddef>
#include <weft/transform.hpp>

namespace weft {

/// Rows of complex factors of an array's precision.
struct FactorRows {
  const std::byte* first = nullptr;
  const std::byte* second = nullptr;
  /// 0: element k of a line is multiplied by first[k] second[k]; else by first[k % part] second[k /
  /// part].
  Index part = 0;
};

/// Multiplies `count` elements of a line by the products of both rows.
void multiply_line(std::byte* line, const FactorRows& rows, Index count, Precision precision);

}  // namespace weft
