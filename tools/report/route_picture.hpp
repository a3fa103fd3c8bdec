// A whole route as one drawing: what a page shows beside its other figures, as a file of its own.
#pragma once

#include <string>
#include <vector>
#include <weft/plan.hpp>

namespace weft::report {

/// Those that the passes find and leave.
std::vector<Layout> layouts_of(const std::vector<Plan::Pass>& passes);

/// Which part of the array each rank holds before and after each exchange, as SVG with its own
/// style, which is right on light and on dark pages. exchanges: the methods between the passes.
std::string route_picture(const std::vector<Plan::Pass>& passes,
                          const std::vector<std::string>& exchanges);

}  // namespace weft::report
