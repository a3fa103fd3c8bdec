// Nodes are counted once, when the topology is created.
#include "exchange/topology.hpp"

#include <algorithm>
#include <map>

namespace weft {

Topology Topology::uniform(int ranks, int ranks_per_node) {
  Topology topology;
  topology.ranks_ = ranks;
  topology.per_node_ = ranks_per_node > 0 ? std::min(ranks, ranks_per_node) : std::max(1, ranks);
  topology.most_ = topology.per_node_;
  topology.nodes_ = ranks / topology.per_node_ + (ranks % topology.per_node_ != 0 ? 1 : 0);
  return topology;
}

Topology::Topology(std::vector<int> node) {
  const int ranks = static_cast<int>(node.size());
  const auto first_of_next = std::ranges::find_if(node, [&](int name) { return name != node[0]; });
  *this = uniform(ranks, static_cast<int>(first_of_next - node.begin()));
  const auto follows_rule = [&] {
    for (int rank = 0; rank < ranks; ++rank)
      if (node[rank] != node_of(rank)) return false;
    return true;
  };
  if (follows_rule()) return;
  std::map<int, int> sizes;
  for (const int name : node) ++sizes[name];
  nodes_ = static_cast<int>(sizes.size());
  most_ = std::ranges::max_element(sizes, {}, [](const auto& one) { return one.second; })->second;
  node_ = std::make_shared<const std::vector<int>>(std::move(node));
}

std::vector<int> Topology::mates_of(int rank) const {
  std::vector<int> mates;
  const int begin = node_of(rank);
  const int end = node_ ? ranks_ : begin + std::min(per_node_, ranks_ - begin);
  for (int other = begin; other < end; ++other)
    if (node_of(other) == begin) mates.push_back(other);
  return mates;
}

}  // namespace weft
