// Jobs in networks, for tests.
#pragma once

#include <string>

#include "network/network.hpp"

namespace weft {

/// A job with ranks on every node of a network.
inline JobNetwork filled(const std::string& text, int ranks_per_node = 1) {
  JobNetwork job{Network::parse(text), {}, 0};
  job.nodes = job.network.places();
  for (int rank = 0; rank < job.nodes * ranks_per_node; ++rank)
    job.place.push_back(rank / ranks_per_node);
  return job;
}

}  // namespace weft
