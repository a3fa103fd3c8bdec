// Where the options that the caller left open came from.
#pragma once

#include <string>

namespace weft {

struct Choice {
  enum class Source { rule, model, wisdom, search };
  Source source = Source::rule;  ///< rule: there was nothing to measure
  std::string asked;             ///< the options that the caller gave
  double predicted_seconds = 0;  ///< 0: unknown
  double measured_seconds = 0;
  std::string note = {};   ///< why the plan differs from the source's choice
  std::string ranks = {};  ///< why these ranks hold data, if the caller left this open
};

}  // namespace weft
