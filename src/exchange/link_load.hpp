// What the exchanges of a plan put on the busiest link of a network: the time that no method can
// beat, if messages take the network's routes.
#pragma once

#include "exchange/geometry.hpp"
#include "exchange/transport.hpp"
#include "network/link_loads.hpp"

namespace weft {

struct ExchangeLoad {
  BusiestLink busiest;
  double route = 0;  ///< links that a byte takes, on average
};

/// Of all messages at once. Each rank's part is spread over its group in proportion to what each
/// member holds afterwards, which is exact for exchanges along one dimension of a process grid;
/// parts are taken to be equal where detail_for says bundles.
ExchangeLoad exchange_load(const Geometry& geometry, const JobNetwork& job);

/// Of messages in that order: the sum over turns, each of which begins when the one before has
/// ended. If there are many, some are taken for the others, and in jobs of many ranks the busiest
/// link is that of all messages at once. One partner at a time takes a route in every turn; else
/// messages follow each other closely enough for one to count.
ExchangeLoad exchange_load(const Geometry& geometry, const JobNetwork& job,
                           const MessageOrder& order);

/// Bytes through the busiest link in an all-to-all among all ranks, in which each has one byte for
/// all together.
double all_to_all_load(const JobNetwork& job);

}  // namespace weft
