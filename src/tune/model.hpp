// What a transform will take, from its route and the machine's figures: for ranking plans, so that
// few of them need be tried.
#pragma once

#include "plan/route.hpp"
#include "tune/wisdom.hpp"

namespace weft {

/// Seconds of one transform by that route. The passes take the bytes they move at the speed of
/// copying and their operations at the rate of FFTs in cache; exchanges follow Hockney's model; and
/// of what is in chunks the shorter of the two hides behind the longer, but for the first and the
/// last chunk.
double predict(const Route& route, const Figures& figures);

}  // namespace weft
