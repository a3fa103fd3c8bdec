// MKL's FFT without its cluster layer, for comparisons on one rank.
#pragma once

#include <memory>
#include <vector>

#include "bench/candidate.hpp"

namespace weft::bench {

/// In place and out of place, of at least two axes, with as many threads as MKL is set to.
std::vector<std::unique_ptr<Candidate>> mkl_one_process_variants(const Problem& problem);

}  // namespace weft::bench
