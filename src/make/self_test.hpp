// Tests whether a new plan that certifies its results computes a Fourier transform at all. The
// certificate of a call compares sums of passes and exchanges; this test compares the contents
// of the arrays.
#pragma once

#include "session/session.hpp"

namespace weft {

/// Runs the plan on random numbers and on an impulse. Throws the same Error on all ranks if the
/// results do not fit together like results of a transform (F. Ergün, "Testing multivariate linear
/// functions: overcoming the generator bottleneck", STOC 1995). Costs seven transforms, and for
/// this time memory for both arrays and one more spectrum. Collective.
void self_test(Session& session);

}  // namespace weft
