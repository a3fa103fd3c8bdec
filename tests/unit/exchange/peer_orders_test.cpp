// Peer orders for every number of ranks up to 64: each rank meets every other, and never two at
// once.
#include "exchange/peer_orders.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace weft {
namespace {

using Order = std::vector<PeerStep> (*)(int rank, int ranks);

/// Each ordered pair once, both ends in the same step, at most one send and receive per rank and
/// step.
void expect_schedule(Order order, int ranks, bool symmetric) {
  std::vector<std::vector<PeerStep>> steps;
  for (int rank = 0; rank < ranks; ++rank) steps.push_back(order(rank, ranks));
  std::set<std::pair<int, int>> pairs;
  for (int rank = 0; rank < ranks; ++rank) {
    ASSERT_EQ(steps[rank].size(), steps[0].size());
    for (std::size_t s = 0; s < steps[rank].size(); ++s) {
      const PeerStep& step = steps[rank][s];
      EXPECT_TRUE(!symmetric || step.send_to == step.receive_from);
      if (step.send_to < 0) continue;
      ASSERT_NE(step.send_to, rank);
      ASSERT_LT(step.send_to, ranks);
      EXPECT_EQ(steps[step.send_to][s].receive_from, rank) << "step " << s << " of " << ranks;
      EXPECT_TRUE(pairs.emplace(rank, step.send_to).second) << "twice";
    }
  }
  EXPECT_EQ(pairs.size(), static_cast<std::size_t>(ranks) * (ranks - 1));
}

TEST(PeerOrders, MeetEveryPairOnceAndInStep) {
  for (int ranks = 1; ranks <= 64; ++ranks) {
    expect_schedule(shift_order, ranks, false);
    expect_schedule(round_robin_order, ranks, true);
    expect_schedule(pairwise_order, ranks, true);
    if ((ranks & (ranks - 1)) == 0) expect_schedule(xor_order, ranks, true);
  }
}

/// Of 64 ranks, any 16 steps in a row send to all quarters alike.
TEST(PeerOrders, ShiftsAreSpread) {
  for (const int rank : {0, 5, 63}) {
    const std::vector<PeerStep> steps = shift_order(rank, 64);
    for (std::size_t first = 0; first + 16 <= steps.size(); ++first) {
      std::vector<int> sent(4);
      for (std::size_t step = first; step < first + 16; ++step) ++sent[steps[step].send_to / 16];
      for (const int count : sent) EXPECT_NEAR(count, 4, 1);
    }
  }
}

TEST(PeerOrders, RoundRobinTakesTheFewestSteps) {
  EXPECT_EQ(round_robin_order(0, 6).size(), 5u);
  EXPECT_EQ(round_robin_order(0, 7).size(), 7u);
}

TEST(PeerOrders, OtherNodesComeFirst) {
  for (int ranks = 1; ranks <= 64; ++ranks)
    for (int per_node : {1, 3, 4, 64}) {
      std::vector<int> node;
      for (int rank = 0; rank < ranks; ++rank) node.push_back(rank / per_node);
      for (int rank = 0; rank < ranks; ++rank) {
        std::set<int> sends, receives;
        bool near = false;
        for (const PeerStep& step : node_aware_order(rank, node)) {
          sends.insert(step.send_to);
          receives.insert(step.receive_from);
          EXPECT_FALSE(near && node[step.send_to] != node[rank]) << "a near rank before a far one";
          near = near || node[step.send_to] == node[rank];
        }
        EXPECT_EQ(sends.size(), static_cast<std::size_t>(ranks - 1));
        EXPECT_EQ(receives, sends);
        EXPECT_FALSE(sends.contains(rank));
      }
    }
}

}  // namespace
}  // namespace weft
