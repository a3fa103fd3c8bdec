// Draws a whole route as a separate file, for pages that show it beside their other figures.
#pragma once

#include <string>
#include <vector>
#include <weft/plan.hpp>

namespace weft::report {

/// The layouts that the passes read and write.
std::vector<Layout> layouts_of(const std::vector<Plan::Pass>& passes);

/// Draws each rank's part of the array before and after each exchange, as SVG with its own style,
/// which suits light and dark pages. exchanges: the methods between the passes.
std::string route_picture(const std::vector<Plan::Pass>& passes,
                          const std::vector<std::string>& exchanges);

}  // namespace weft::report
