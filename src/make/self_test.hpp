// What a plan that certifies its results is asked before it is handed out: whether it computes a
// Fourier transform at all. The certificate of a call compares what passes and exchanges have seen;
// this compares what is in the arrays.
#pragma once

#include "session/session.hpp"

namespace weft {

/// Runs the plan on random numbers and on an impulse, and throws the same Error on all ranks if the
/// results do not belong together as those of a transform do (F. Ergün, "Testing multivariate
/// linear functions: overcoming the generator bottleneck", STOC 1995). Seven transforms, and memory
/// for both arrays and one more spectrum meanwhile. Collective.
void self_test(Session& session);

}  // namespace weft
