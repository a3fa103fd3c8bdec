// How latency and bandwidth tell what they found: sizes downwards, pairs and directions across.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "net/point_to_point.hpp"

namespace weft::net {

/// "same node, 2 pairs"
std::string name_of(const Pairs& pairs);

/// A table of one figure of each row, and the fits of the lines.
std::string pair_table(const std::vector<PairRow>& rows,
                       const std::function<std::string(const PairRow&)>& figure);

/// The members "rows" and "fits" of a report.
void add_json(const std::vector<PairRow>& rows, Json& report);

}  // namespace weft::net
