// Tells how much memory lies in huge pages, because the system may refuse them silently.
#pragma once

#include <cstddef>

namespace weft {

/// The bytes in huge pages of all mappings of this process that overlap the range. Each mapping
/// counts as a whole. 0 if the system does not tell.
std::size_t bytes_in_huge_pages(const std::byte* begin, std::size_t bytes);

}  // namespace weft
