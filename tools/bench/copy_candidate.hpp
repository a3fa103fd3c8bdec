// The floor, as one more candidate: all ranks at once copy memory as fast as it streams. Timed in
// turn with the others, because what memory bandwidth there is changes with what neighbours leave.
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
