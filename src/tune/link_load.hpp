// Computes the load of a plan's exchanges on the busiest link of a network. No method can beat this
// link's time, if messages take the network's routes.
#pragma once

#include "exchange/geometry.hpp"
#include "exchange/peer_orders.hpp"
#include "network/link_loads.hpp"

namespace weft {

struct ExchangeLoad {
  BusiestLink busiest;
  double links = 0;  ///< per byte, an approximate average; if stepwise, in all steps together
};

/// The load of all messages at once. Each rank's part is spread over its group in proportion to the
/// members' parts afterwards. This is exact for exchanges along one dimension of a process grid.
/// Parts are taken to be equal if detail_for says bundles.
ExchangeLoad exchange_load(const Geometry& geometry, const JobNetwork& job);

/// The load of messages to one partner at a time: the sums over the steps, each of which begins
/// when the previous step has ended. If there are many steps, some represent the others. In large
/// jobs, the busiest link is taken from all messages at once. Groups smaller than the largest
/// have fewer steps.
ExchangeLoad stepwise_load(const Geometry& geometry, const JobNetwork& job, PartnerOrder partners);

/// Bytes through the busiest link in an all-to-all among all ranks, in which each rank sends one
/// byte in total.
double all_to_all_load(const JobNetwork& job);

}  // namespace weft
