// Predicts a transform's time from its route and the machine's figures: accurate enough to rank
// plans, so that only a few must be timed.
#pragma once

#include "plan/route.hpp"
#include "tune/wisdom.hpp"

namespace weft {

/// What the exchanges of a route put on the links of the network, where that is known.
struct LinkCharges {
  std::vector<double> busiest;  ///< bytes through the busiest link, by exchange; empty: not known
  double all_to_all = 0;        ///< the same of one byte per rank in an all-to-all among all ranks
  double bandwidth = 0;         ///< of a link; 0: only what the figures say
};

/// Predicted seconds of one transform by that route, of the rank that holds most. A pass moves its
/// bytes at copying speed and computes at the rate of FFTs in cache. Exchanges follow Hockney's
/// model. With chunks, the shorter of computation and communication hides behind the longer one,
/// except in the first and last chunk. Where ranks of a node hold nothing, the others have its
/// cores and its link to themselves. With charges, an exchange between nodes takes the time of its
/// busiest link, whose bandwidth follows from the measured all-to-all, and never less than
/// `charges.bandwidth` allows.
double predict(const Route& route, const Figures& figures, const LinkCharges& charges = {});

}  // namespace weft
