// Whether the system has given huge pages where they were asked for: it may refuse silently.
#pragma once

#include <cstddef>

namespace weft {

/// The bytes that lie in huge pages, of the mappings of this process that hold the range: a mapping
/// is counted as a whole. 0 where the system does not say.
std::size_t bytes_in_huge_pages(const std::byte* begin, std::size_t bytes);

}  // namespace weft
