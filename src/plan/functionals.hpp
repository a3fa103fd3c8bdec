// The weights with which a route is certified: at every point of it, a linear functional of the
// data that takes the same value as at all others. A pure function, the same on all ranks.
#pragma once

#include "plan/route.hpp"
#include "view/block_sums.hpp"

namespace weft {

/// Weights before a step from those after it: those of the step's transposed matrix.
std::vector<std::complex<double>> weights_before(const Step& step,
                                                 const std::vector<std::complex<double>>& after);

/// By stage: the weights of what it reads, and then those of what the last one writes. Along a
/// round trip the functional starts anew after the fused stage, whose function is unknown.
std::vector<PointWeights> point_weights(const Route& route);

/// Nothing is summed yet.
std::unique_ptr<PassSums> make_pass_sums(const Route& route, int stage, int rank, int workers,
                                         const std::vector<PointWeights>& weights);

}  // namespace weft
