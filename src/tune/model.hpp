// Predicts a transform's time from its route and the machine's figures: accurate enough to rank
// plans, so that only a few must be timed.
#pragma once

#include "plan/route.hpp"
#include "tune/link_load.hpp"
#include "tune/wisdom.hpp"

namespace weft {

/// The loads of a route's exchanges on the links of the network, if known.
struct LinkCharges {
  std::vector<ExchangeLoad> loads;  ///< by exchange; empty: not known
  double all_to_all = 0;  ///< bytes through the busiest link in an all-to-all among all ranks, in
                          ///< which each rank sends one byte in total
  NetworkCosts costs;
};

/// Predicted seconds of one transform by this route, for the rank that holds most data. A pass
/// moves its bytes at copying speed and computes at the rate of FFTs in cache. Exchanges follow
/// Hockney's model. With chunks, the shorter of computation and communication hides behind the
/// longer one, except in the first and last chunk. If some ranks of a node hold no data, only the
/// others share its cores and its link. With charges, an exchange between nodes takes the time of
/// its busiest link, whose bandwidth follows from the measured all-to-all, and never less than
/// links allow. If the costs of the network are complete, they replace the figures measured between
/// nodes: messages start one after the other and each takes the latency of its links.
double predict(const Route& route, const Figures& figures, const LinkCharges& charges = {});

}  // namespace weft
