// The timeline of a few transforms on all ranks and with one clock, in the Trace Event Format that
// Chrome and Perfetto show.
#pragma once

#include <string>

#include "bench/weft_candidate.hpp"

namespace weft::bench {

/// The number of transforms that are traced.
constexpr int traced_transforms = 3;

/// The records of all ranks.
struct TraceDocument {
  std::string text;     ///< the whole document; only rank 0 has it
  std::string message;  ///< about the trace, for the user
};

/// Runs the candidate while its plan records. Collective.
TraceDocument traced(const Problem& problem, WeftCandidate& candidate);

}  // namespace weft::bench
