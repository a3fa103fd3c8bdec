// Sizes of messages as one types them.
#pragma once

#include <string>
#include <vector>
#include <weft/box.hpp>

namespace weft::net {

/// "8,64K,1M": those; "8:1M": 8 and each four times the one before, up to 1M; "8:1M:2": each twice.
/// K, M and G are powers of 1024. Ascending, without repetitions. Throws an Error that says so.
std::vector<Index> parse_sizes(const std::string& text);

}  // namespace weft::net
