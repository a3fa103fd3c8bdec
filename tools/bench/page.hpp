// The outcome of bench for a reader without a terminal: chooses the contents of a page, and leaves
// the layout to tools/report.
#pragma once

#include <string>
#include <weft/plan.hpp>

#include "bench/report.hpp"

namespace weft::bench {

/// An HTML page about one report, with the plan of its first row and the trace of that.
std::string page_of(const Report& report, const Plan& plan, const std::string& trace);

}  // namespace weft::bench
