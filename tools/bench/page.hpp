// The outcome of bench for a reader without a terminal: chooses what a page shows of it, and leaves
// how to tools/report.
#pragma once

#include <string>
#include <weft/plan.hpp>

#include "bench/report.hpp"

namespace weft::bench {

/// An HTML page about one report, with the plan of its first row and the trace of that.
std::string page_of(const Report& report, const Plan& plan, const std::string& trace);

}  // namespace weft::bench
