// Predicts a transform's time from its route and the machine's figures: accurate enough to rank
// plans, so that only a few must be timed.
#pragma once

#include "plan/route.hpp"
#include "tune/wisdom.hpp"

namespace weft {

/// Predicted seconds of one transform by that route. A pass moves its bytes at copying speed and
/// computes at the rate of FFTs in cache. Exchanges follow Hockney's model. With chunks, the
/// shorter of computation and communication hides behind the longer one, except in the first and
/// last chunk.
double predict(const Route& route, const Figures& figures);

}  // namespace weft
