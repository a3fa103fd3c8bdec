// In which order ranks of a group talk to each other, as pure functions.
#pragma once

#include <vector>

namespace weft {

/// What one rank does in one step; -1: nothing.
struct PeerStep {
  int send_to = -1;
  int receive_from = -1;
};

/// Steps of `rank` among `ranks`. In every order each rank sends once to every other one, and at
/// most to one and from one per step.

/// Ring: step s sends s ranks ahead. Any number of ranks.
std::vector<PeerStep> ring_order(int rank, int ranks);
/// Pairs: in step s with rank XOR s. For powers of two; every step is a perfect matching.
std::vector<PeerStep> xor_order(int rank, int ranks);
/// Pairs for any number of ranks: the circle method for round-robin tournaments (Kirkman 1847).
/// With an odd number each rank rests once.
std::vector<PeerStep> round_robin_order(int rank, int ranks);
/// XOR for powers of two, round-robin otherwise.
std::vector<PeerStep> pairwise_order(int rank, int ranks);
/// The ring, ranks of other nodes first: the slow way should be busy from the start. Not in step:
/// sends and receives are ordered each by itself.
std::vector<PeerStep> node_aware_order(int rank, const std::vector<int>& node);

}  // namespace weft
