// How much of its communication a transform hides. Measured beside it: the same transform blocking,
// only its exchanges, only its passes, and, to show what the MPI allows here, a bare exchange
// during arithmetic.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "bench/weft_candidate.hpp"

namespace weft::bench {

/// Seconds per transform. "Bound" refers to MPI_Ialltoall with as many bytes, during arithmetic
/// that takes as long as the passes.
struct Overlap {
  std::string blocking_how;  ///< the options of the fastest blocking plan
  Samples blocking, exchange, compute;
  Samples bound_exchange, bound_compute, bound_both;

  /// (blocking - overlapped) / min(exchange, compute): 1 if the shorter of the two is hidden
  /// completely.
  double hidden(const Samples& overlapped) const;
  /// overlapped / max(exchange, compute): 1 if only the longer of the two remains.
  double over_longer(const Samples& overlapped) const;
  /// exchange / compute.
  double ratio() const { return exchange.median() / compute.median(); }
  /// (exchange + compute - both) / min(exchange, compute), for the bare exchange.
  double bound() const;
};

/// The contestants that are measured beside an overlapped transform.
class OverlapContest {
 public:
  /// Plans the blocking transforms. Collective.
  OverlapContest(const Problem& problem, const Transform& transform, const Options& options,
                 Between between);
  ~OverlapContest();
  OverlapContest(const OverlapContest&) = delete;
  OverlapContest& operator=(const OverlapContest&) = delete;

  std::vector<Candidate*> candidates() const;
  /// Takes its results from the samples of candidates(), in the same order, and advances the
  /// iterator.
  Overlap evaluate(std::vector<Contestant>::const_iterator& next) const;

 private:
  std::vector<std::unique_ptr<WeftCandidate>> blocking_;
  std::vector<std::unique_ptr<Candidate>> exchanges_;  // one for each blocking plan
  std::unique_ptr<Candidate> passes_;
  std::vector<std::unique_ptr<Candidate>> bare_;  // exchange, compute, both
};

}  // namespace weft::bench
