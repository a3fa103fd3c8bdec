// One-factorisations of the complete graph (perfect matchings, one per step), and shifts.
#include "exchange/peer_orders.hpp"

#include <algorithm>
#include <bit>

namespace weft {
namespace {

unsigned reversed(unsigned number, int bits) {
  unsigned result = 0;
  for (int bit = 0; bit < bits; ++bit) result |= (number >> bit & 1U) << (bits - 1 - bit);
  return result;
}

}  // namespace

std::vector<PeerStep> shift_order(int rank, int ranks) {
  std::vector<PeerStep> steps;
  const int bits = std::bit_width(static_cast<unsigned>(ranks - 1));
  for (unsigned number = 1; number < 1U << bits; ++number)
    if (const int shift = static_cast<int>(reversed(number, bits)); shift < ranks)
      steps.push_back({(rank + shift) % ranks, (rank - shift + ranks) % ranks});
  return steps;
}

std::vector<PeerStep> xor_order(int rank, int ranks) {
  std::vector<PeerStep> steps;
  for (int s = 1; s < ranks; ++s) steps.push_back({rank ^ s, rank ^ s});
  return steps;
}

std::vector<PeerStep> round_robin_order(int rank, int ranks) {
  // All players but the last form a circle of odd size. In round s, two players meet if their
  // numbers add up to s modulo this size. The player that would meet itself meets the last player,
  // or rests if there is none.
  const int circle = ranks % 2 == 0 ? ranks - 1 : ranks;
  const int last = ranks % 2 == 0 ? ranks - 1 : -1;
  std::vector<PeerStep> steps;
  for (int s = 0; s < circle && ranks > 1; ++s) {
    int peer = (s - rank + circle) % circle;
    if (rank == last) {
      // Solve 2 x = s modulo the odd size.
      peer = s % 2 == 0 ? s / 2 : (s + circle) / 2;
    } else if (peer == rank) {
      peer = last;
    }
    steps.push_back({peer, peer});
  }
  return steps;
}

std::vector<PeerStep> pairwise_order(int rank, int ranks) {
  const bool power_of_two = (ranks & (ranks - 1)) == 0;
  return power_of_two ? xor_order(rank, ranks) : round_robin_order(rank, ranks);
}

std::vector<PeerStep> node_aware_order(int rank, const std::vector<int>& node) {
  std::vector<int> send;
  std::vector<int> receive;
  for (const PeerStep& step : shift_order(rank, static_cast<int>(node.size()))) {
    send.push_back(step.send_to);
    receive.push_back(step.receive_from);
  }
  const auto away = [&](int peer) { return node[peer] != node[rank]; };
  std::stable_partition(send.begin(), send.end(), away);
  std::stable_partition(receive.begin(), receive.end(), away);
  std::vector<PeerStep> steps;
  for (std::size_t s = 0; s < send.size(); ++s) steps.push_back({send[s], receive[s]});
  return steps;
}

}  // namespace weft
