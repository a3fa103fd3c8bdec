// The timeline of a few transforms on all ranks and on one clock, in the Trace Event Format that
// Chrome and Perfetto show.
#pragma once

#include <string>

#include "bench/weft_candidate.hpp"
#include "parallel_file.hpp"

namespace weft::bench {

/// How many transforms are traced.
constexpr int traced_transforms = 3;

/// Runs the candidate while its plan records, fills the file and publishes it. Collective. Returns
/// what there is to say about it, on rank 0.
std::string write_trace(const Problem& problem, WeftCandidate& candidate,
                        command::TemporaryFile& file);

}  // namespace weft::bench
