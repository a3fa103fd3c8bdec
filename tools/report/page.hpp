// Writes the results of `weft bench` as one HTML file: it contains all pictures and styles, and
// loads or executes nothing.
#pragma once

#include <string>
#include <utility>
#include <vector>
#include <weft/plan.hpp>

#include "report/bars_picture.hpp"
#include "samples.hpp"

namespace weft::report {

/// The contents of a page, in its order.
struct Content {
  std::string title;                                       ///< "weft bench 256x256x256 c2c double"
  std::vector<std::pair<std::string, std::string>> facts;  ///< names and values
  std::vector<TimedRow> times;
  double floor_seconds = 0;
  std::string table;  ///< as it was printed
  std::vector<Plan::Pass> passes;
  std::vector<std::string> exchanges;  ///< the methods between the passes
  command::Json trace;                 ///< in the Trace Event Format
  std::string description;             ///< of the plan
  std::string figures;                 ///< everything that was measured, as JSON
};

std::string page(const Content& content);

}  // namespace weft::report
