// How much of its communication a transform hides. Measured beside it: the same transform blocking,
// only its exchanges, only its passes, and a bare exchange during arithmetic, which shows how much
// overlap the MPI allows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "bench/weft_candidate.hpp"
#include "net/pending_exchange.hpp"
#include "net/work.hpp"

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
  /// The overlap of the bare exchange.
  double bound() const;
};

/// The contestants that are measured beside an overlapped transform.
class OverlapContest {
 public:
  /// Plans the blocking transforms. Collective. The problem must outlive this.
  OverlapContest(const Problem& problem, const Transform& transform, const Options& options,
                 Between between);
  OverlapContest(const OverlapContest&) = delete;
  OverlapContest& operator=(const OverlapContest&) = delete;

  /// They write their times into this.
  std::vector<Contestant> contestants();
  /// Of those times.
  Overlap evaluate() const;

 private:
  struct Blocking {
    std::unique_ptr<WeftCandidate> transform;
    Times whole, exchanges;
  };
  Contestant part_of(const Blocking& blocking, Plan::Part part, Times& times) const;
  void compute_beside_exchange();

  const Problem& problem_;
  std::vector<Blocking> blocking_;
  Times passes_;
  std::unique_ptr<net::PendingExchange> bare_;
  std::unique_ptr<net::Work> work_;
  Index steps_ = 0;  // of work, with a test after each
  Times bare_exchange_, bare_compute_, bare_both_;
};

}  // namespace weft::bench
