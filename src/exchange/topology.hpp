// Which ranks share a node: a formula if ranks fill one node after the other, else a list.
#pragma once

#include <memory>
#include <vector>

namespace weft {

class Topology {
 public:
  Topology() = default;
  /// Ranks in order, `ranks_per_node` on each node; 0: all on one.
  static Topology uniform(int ranks, int ranks_per_node);
  /// For each rank, the lowest rank of its node.
  explicit Topology(std::vector<int> node);

  int ranks() const { return ranks_; }
  int nodes() const { return nodes_; }
  /// The node of a rank, named by the lowest rank on it.
  int node_of(int rank) const { return node_ ? (*node_)[rank] : rank / per_node_ * per_node_; }
  /// The ranks of a rank's node, itself included, ascending.
  std::vector<int> mates_of(int rank) const;
  int most_ranks_on_a_node() const { return most_; }

 private:
  int ranks_ = 1;
  int nodes_ = 1;
  int most_ = 1;
  int per_node_ = 1;                              // for the formula
  std::shared_ptr<const std::vector<int>> node_;  // null if the formula applies
};

}  // namespace weft
