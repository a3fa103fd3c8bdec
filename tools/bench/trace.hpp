// The timeline of a few transforms on all ranks and with one clock, in the Trace Event Format that
// Chrome and Perfetto show.
#pragma once

#include <string>

#include "bench/weft_candidate.hpp"
#include "temporary_file.hpp"

namespace weft::bench {

/// The number of transforms that are traced.
constexpr int traced_transforms = 3;

/// Runs the candidate while its plan records, then writes and publishes the file. Collective.
/// Returns a message about it, on rank 0.
std::string write_trace(const Problem& problem, WeftCandidate& candidate,
                        command::TemporaryFile& file);

}  // namespace weft::bench
