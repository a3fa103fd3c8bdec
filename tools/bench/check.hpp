// Checks that candidates compute the right result, on the same input that is timed later. All
// functions are collective.
#pragma once

#include "bench/product_field.hpp"
#include "bench/report.hpp"
#include "bench/rivals.hpp"
#include "bench/weft_candidate.hpp"

namespace weft::bench {

/// Whether the spectrum is whole and in the usual form.
bool is_full(const Transform& transform);

/// The relative L2 error that Weft's results may have.
double allowed_error(const Problem& problem, const Options& options);

/// Runs the candidate forward once and backward once.
Result check_weft(const Problem& problem, WeftCandidate& candidate);
/// Variants of a rival with wrong results are dropped, so that they are never timed.
RivalResults check_rival(const Problem& problem, PlannedRival& rival, const ProductField& truth);
/// Compares the two ways of solving Poisson's equation with each other.
std::vector<Result> check_poisson(const Problem& problem,
                                  const std::vector<std::unique_ptr<WeftCandidate>>& two);

}  // namespace weft::bench
