// How much of its communication a transform hides: beside it run the same transform blocking, its
// exchanges alone, its passes alone, and, as what the MPI allows here, a bare exchange beside
// arithmetic.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "bench/weft_candidate.hpp"

namespace weft::bench {

/// Seconds per transform. "Bound" is of MPI_Ialltoall with as many bytes, beside arithmetic that
/// takes as long as the passes.
struct Overlap {
  std::string blocking_how;  ///< of the fastest blocking plan
  Samples blocking, exchange, compute;
  Samples bound_exchange, bound_compute, bound_both;

  /// (blocking - overlapped) / min(exchange, compute): 1 where the shorter of the two is hidden.
  double hidden(const Samples& overlapped) const;
  /// overlapped / max(exchange, compute): 1 where nothing but the longer one is left.
  double over_longer(const Samples& overlapped) const;
  /// exchange / compute.
  double ratio() const { return exchange.median() / compute.median(); }
  /// (exchange + compute - both) / min(exchange, compute), of the bare ones.
  double bound() const;
};

/// The contestants beside an overlapped transform.
class OverlapContest {
 public:
  /// Plans the blocking transforms. Collective.
  OverlapContest(const Problem& problem, const Transform& transform, const Options& options,
                 Between between);
  ~OverlapContest();
  OverlapContest(const OverlapContest&) = delete;
  OverlapContest& operator=(const OverlapContest&) = delete;

  std::vector<Candidate*> candidates() const;
  /// From the samples of candidates(), in their order; moves on behind them.
  Overlap evaluate(std::vector<Contestant>::const_iterator& next) const;

 private:
  std::vector<std::unique_ptr<WeftCandidate>> blocking_;
  std::vector<std::unique_ptr<Candidate>> exchanges_;  // of each of them
  std::unique_ptr<Candidate> passes_;
  std::vector<std::unique_ptr<Candidate>> bare_;  // exchange, compute, both
};

}  // namespace weft::bench
