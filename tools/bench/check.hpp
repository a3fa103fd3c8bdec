// Whether candidates compute the right thing, on the input that is timed later. All of it is
// collective.
#pragma once

#include "bench/product_field.hpp"
#include "bench/report.hpp"
#include "bench/rivals.hpp"
#include "bench/weft_candidate.hpp"

namespace weft::bench {

/// Whether the transform has the whole spectrum, in the usual form.
bool is_full(const Transform& transform);

/// The relative L2 error that Weft's results may have.
double allowed_error(const Problem& problem, const Options& options);

/// Runs it once, and once back.
Result check_weft(const Problem& problem, WeftCandidate& candidate);
/// Nobody shall measure wrong results: a variant of a rival that computes them is dropped.
RivalResults check_rival(const Problem& problem, PlannedRival& rival, const ProductField& truth);
/// The two ways of solving Poisson's equation against each other.
std::vector<Result> check_poisson(const Problem& problem,
                                  const std::vector<std::unique_ptr<WeftCandidate>>& two);

}  // namespace weft::bench
