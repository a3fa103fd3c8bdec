// Computes the boxes that an exchange moves from each rank to each other rank, in blocks (k, j).
// Pure functions, so that any rank's part can be computed on every rank.
#pragma once

#include <functional>
#include <vector>
#include <weft/layout.hpp>

#include "exchange/topology.hpp"
#include "view/view.hpp"

namespace weft {

/// An axis cut into chunks: the producer's k, or the consumer's j.
struct Chunking {
  int axis = 0;
  int count = 1;
};

/// An exchange of an array from one layout to another. Block (k, j) from rank s to rank d holds the
/// data that s's producer chunk k sends to d's consumer chunk j. Blocks are stored in `order`,
/// which suits the next gather.
struct Geometry {
  Layout from;
  Layout to;
  Order order;
  Element element;
  Chunking producer;
  Chunking consumer;
  /// Chunks of both sides are the same, so only blocks (k, j) with k = j exist; see may_align.
  bool aligned = false;
  /// The number of fastest axes in a row of a directly written array, whose end may be padded; 0 if
  /// nothing is, because these are the caller's arrays.
  int row_axes = 1;
  std::vector<Box> kept;  ///< columns of kept modes, the only part moved; empty: all is moved

  Box produced(int rank, int k) const;
  Box consumed(int rank, int j) const;
  /// A block, as boxes; empty ones are left out.
  std::vector<Box> block(int source, int destination, int k, int j) const;
  Index block_volume(int source, int destination, int k, int j) const;
  /// The part of a box that is moved.
  std::vector<Box> kept_of(const Box& box) const;

  /// Blocks of consumer chunk j, and the place of (k, j) among them, counted from 1.
  int blocks_of_chunk() const { return aligned ? 1 : producer.count; }
  int place_in_chunk(int k) const { return aligned ? 1 : k + 1; }

  /// The ranks that exchange with each other and with `rank`, itself included, ascending. Every
  /// rank is in one group, and the groups of two ranks are equal or disjoint.
  std::vector<int> group_of(int rank) const;
  /// Each group once, in the order of their lowest ranks.
  void for_each_group(const std::function<void(const std::vector<int>&)>& visit) const;
  /// Elements of the largest block (k, j) between any two ranks of a group.
  Index largest_block(const std::vector<int>& group, int k, int j) const;
  /// True if every rank keeps its data, so nothing moves.
  bool stays() const;
  /// Whether ranks exchange only with ranks of their own node.
  bool is_within_nodes(const Topology& topology) const;

  /// Bytes that `rank` sends to others, and the number of other ranks it sends to.
  struct Traffic {
    Index bytes = 0;
    int messages = 0;
  };
  Traffic sent_by(int rank) const;
  /// Bytes of all blocks from one rank to another.
  Index bytes_between(int source, int destination) const;
};

/// Whether chunks along an axis that neither side transforms are the same on both sides: every rank
/// keeps its part of the axis, and parts of different ranks are either equal or disjoint.
bool may_align(const Layout& from, const Layout& to, int axis);

}  // namespace weft
