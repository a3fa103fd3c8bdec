// The order in which the ranks of a group exchange messages, as pure functions.
#pragma once

#include <vector>

namespace weft {

/// The partners of one rank in one step; -1: none.
struct PeerStep {
  int send_to = -1;
  int receive_from = -1;
};

/// The steps of a rank among the ranks of its group.
using PartnerOrder = std::vector<PeerStep> (*)(int rank, int ranks);

// Steps of `rank` among `ranks`. In every order each rank sends once to every other rank, and per
// step it sends to at most one rank and receives from at most one.

/// Shifts: in each step, rank r sends to rank r + shift (modulo `ranks`), for any number of ranks.
/// The shifts follow van der Corput's sequence (Verteilungsfunktionen, Proc. Akad. Wet. Amsterdam
/// 38 (1935) 813-821), so that a few consecutive steps reach all parts of the machine. With shifts
/// 1, 2, 3, ... all ranks of a group of nodes would need the links to the same other group at once.
std::vector<PeerStep> shift_order(int rank, int ranks);
/// Pairs: in step s with rank XOR s. For powers of two; every step is a perfect matching.
std::vector<PeerStep> xor_order(int rank, int ranks);
/// Pairs for any number of ranks: the circle method for round-robin tournaments (Kirkman 1847).
/// With an odd number each rank rests once.
std::vector<PeerStep> round_robin_order(int rank, int ranks);
/// XOR for powers of two, round-robin otherwise.
std::vector<PeerStep> pairwise_order(int rank, int ranks);
/// Shifts, those to ranks of other nodes first, so that the slower network is busy from the start.
/// Sends and receives are ordered independently: ranks do not proceed in step.
std::vector<PeerStep> node_aware_order(int rank, const std::vector<int>& node);

}  // namespace weft
