// The timeline of a few transforms on all ranks and with one clock, in the Trace Event Format that
// Chrome and Perfetto show.
#pragma once

#include <string>

#include "bench/weft_candidate.hpp"

namespace weft::bench {

/// The number of transforms that are traced.
constexpr int traced_transforms = 3;

/// What the ranks recorded.
struct TraceDocument {
  std::string text;     ///< the whole document; only rank 0 has it
  std::string message;  ///< what to say about it
};

/// Runs the candidate while its plan records. Collective.
TraceDocument traced(const Problem& problem, WeftCandidate& candidate);

}  // namespace weft::bench
