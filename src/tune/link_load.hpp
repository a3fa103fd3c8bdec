// What the exchanges of a plan put on the busiest link of a network: the time that no method can
// beat, if messages take the network's routes.
#pragma once

#include "exchange/geometry.hpp"
#include "exchange/peer_orders.hpp"
#include "network/link_loads.hpp"

namespace weft {

struct ExchangeLoad {
  BusiestLink busiest;
  double links = 0;  ///< that a byte takes on average, about; if stepwise, in all steps together
};

/// Of all messages at once. Each rank's part is spread over its group in proportion to what each
/// member holds afterwards, which is exact for exchanges along one dimension of a process grid;
/// parts are taken to be equal where detail_for says bundles.
ExchangeLoad exchange_load(const Geometry& geometry, const JobNetwork& job);

/// Of messages to one partner at a time: the sums over the steps, each of which begins when the one
/// before has ended. Of many steps some are taken for the others, and in large jobs the busiest
/// link is that of all messages at once. Groups smaller than the largest have fewer steps.
ExchangeLoad stepwise_load(const Geometry& geometry, const JobNetwork& job, PartnerOrder partners);

/// Bytes through the busiest link in an all-to-all among all ranks, in which each has one byte for
/// all together.
double all_to_all_load(const JobNetwork& job);

}  // namespace weft
