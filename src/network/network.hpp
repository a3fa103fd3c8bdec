// A network between nodes: its kind, its size and where its links are, read from a line of text.
// All links have the same bandwidth; wider ones are several in parallel.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>
#include <weft/axes.hpp>

#include "network/routing.hpp"

namespace weft {

/// Costs of every link and every message; 0: unknown.
struct NetworkCosts {
  double bandwidth = 0;  ///< of a link, one way, bytes per second
  double latency = 0;    ///< seconds that a message takes for each link
  double message = 0;    ///< seconds that each message occupies its sender
  /// Whether they suffice to predict the time of an exchange.
  bool are_complete() const { return bandwidth > 0 && latency > 0; }
};

/// A value: places for nodes, numbered from 0, and the links between them. Each node also has its
/// own link into the network and one out of it, unless it is a router of a torus.
class Network {
 public:
  /// A network where only the nodes' own links can fill up: one switch that is large enough.
  static Network crossbar(Index nodes);

  /// Parses "KIND:SHAPE", then settings, separated by blanks:
  ///   torus:8x8x8 [hosts=N]                the first dimension is the fastest. Each node is a
  ///                                        router; or N > 1 nodes share one
  ///   fattree:LEAF_HOSTSxLEAVES[:TAPER]    LEAF_HOSTS nodes on each leaf switch, which has
  ///                                        LEAF_HOSTS / TAPER (1) links up, each to another spine
  ///   leaves=measured                      of a fat tree: see leaves_are_measured
  ///   dragonfly:GROUPSxROUTERSxHOSTS       in each group ROUTERS routers, each with HOSTS nodes
  ///   crossbar:HOSTS                       only the nodes' own links fill up
  ///   bandwidth=BYTES_PER_SECOND           and latency=SECONDS, of a link; message=SECONDS, of the
  ///                                        sender of a message: NetworkCosts, for every kind
  /// Throws an Error that names the wrong part and the valid values.
  static Network parse(const std::string& text);

  /// The text it was made from, without superfluous blanks.
  const std::string& text() const { return text_; }
  /// The number of places for nodes.
  Index places() const;
  /// The number of values of each digit of a place, the fastest digit first. Nodes that differ only
  /// in the first digits are near each other.
  const std::vector<int>& extents() const { return extents_; }
  /// Whether nodes are on leaf switches.
  bool has_leaves() const { return uplinks_ > 0; }
  /// Whether the nodes of a leaf are found by the distances between nodes.
  bool leaves_are_measured() const { return leaves_are_measured_; }
  const NetworkCosts& costs() const { return costs_; }
  /// Throws an Error if there are more nodes than places.
  void require_places(Index nodes) const;

  std::unique_ptr<const Routing> routing(Detail detail) const {
    return make_routing_(*this, detail);
  }

 private:
  using MakeRouting = std::unique_ptr<const Routing> (*)(const Network&, Detail);
  struct Kind;
  static const std::vector<Kind>& kinds();
  void set(const std::string& setting);

  std::string text_;
  std::vector<int> extents_;
  int uplinks_ = 0;  // of a leaf
  bool leaves_are_measured_ = false;
  NetworkCosts costs_;
  MakeRouting make_routing_ = nullptr;
};

/// The content of a network file. The first line describes the network; each further line gives the
/// name of a host and its place. "#" begins a comment.
struct NetworkFile {
  Network network;
  std::map<std::string, int> place_of_host;
};

/// Throws an Error that names the wrong line.
NetworkFile parse_network_file(const std::string& content);

/// The network text for a value of WEFT_NETWORK: the value itself or, if it has a "/", the content
/// of that file. Throws an Error if the file cannot be read.
std::string network_text(const std::string& value);

/// A network, and the nodes of a job in it.
struct JobNetwork {
  Network network;
  std::vector<int> place;  ///< of each rank's node
  Index nodes = 0;
};

/// The place of each node in a tree; `leaf`: a label of each node's leaf. Nodes with the same label
/// fill a leaf in their order, and leaves are numbered by first appearance. Throws an Error if the
/// network has fewer leaves, or a leaf has fewer places.
std::vector<int> places_on_leaves(const Network& network, const std::vector<std::size_t>& leaf);

/// A label of each node's leaf; `distances`: between all nodes, row by row. Nodes of one leaf are
/// near each other, and all other nodes are farther. If the distances do not separate into these
/// two classes, nodes fill the leaves in their order. They also do so if the leaves found are more
/// or larger than the network has.
std::vector<std::size_t> leaves_by_distance(const Network& network,
                                            const std::vector<double>& distances);

/// The names of the switches above a node, from Slurm's plugin topology/tree. SLURM_TOPOLOGY_ADDR
/// holds names ("core.leaf3.node17"); SLURM_TOPOLOGY_ADDR_PATTERN marks the switches among them
/// ("switch.switch.node"). Empty if there are no switches.
std::string leaf_in_address(const std::string& address, const std::string& pattern);

}  // namespace weft
