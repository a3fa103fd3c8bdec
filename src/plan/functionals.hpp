// The weights that certify a route: at each of its points they define a linear functional of the
// data, which has the same value at all points. Pure functions, the same on all ranks.
#pragma once

#include "plan/route.hpp"
#include "view/block_sums.hpp"

namespace weft {

/// Weights before a step, computed from the weights after it by the step's transposed matrix.
std::vector<std::complex<double>> weights_before(const Step& step,
                                                 const std::vector<std::complex<double>>& after);

/// The weights of each stage's input, then the weights of the last stage's output. Along a round
/// trip the functional starts anew after the fused stage, whose function is unknown.
std::vector<PointWeights> point_weights(const Route& route);

/// Sums for one stage's pass, with nothing added yet.
std::unique_ptr<PassSums> make_pass_sums(const Route& route, int stage, int rank, int workers,
                                         const std::vector<PointWeights>& weights);

}  // namespace weft
