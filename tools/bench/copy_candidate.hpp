// The lower bound, as one more candidate: all ranks copy memory at the same time, as fast as
// possible. It takes turns with the others, because the available memory bandwidth depends on what
// else runs on the machine.
#pragma once

#include "bench/candidate.hpp"

namespace weft::bench {

class CopyCandidate : public Candidate {
 public:
  /// Bytes read and written by one run, all ranks together.
  virtual double bytes() const = 0;
};

/// Copies with stores that bypass the caches, in problem.threads threads per rank. Collective.
std::unique_ptr<CopyCandidate> copy_candidate(const Problem& problem);

}  // namespace weft::bench
