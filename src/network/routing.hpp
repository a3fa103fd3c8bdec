// The links of a network, and the links that each message takes. A route is a sequence of legs; the
// links of a leg depend only on a class of its source and a class of its target. The loads of an
// all-to-all then take a step per pair of classes, not per pair of nodes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <weft/axes.hpp>

namespace weft {

/// Whether single links are counted, or bundles of links whose loads are taken to be equal. A
/// bundle is all links that a cut through a torus severs, or all links up from a leaf. Bundles are
/// far cheaper. A bundle's mean load is never more than the load of its busiest link.
enum class Detail { links, bundles };

/// Neighbouring places that share links to all others, one way out and one way in.
struct Enclosure {
  Index places;
  Index width;            ///< links each way
  std::string name;       ///< for people
  bool has_links = true;  ///< false where the node and its router are one
};

class Routing {
 public:
  virtual ~Routing() = default;
  /// The kinds of enclosures with links around them; at least the node.
  const std::vector<Enclosure>& enclosures() const { return enclosures_; }

  virtual int legs() const { return 0; }
  /// The class of a place on a leg, as a message's source or as its target: from 0 to less than
  /// source_classes() or target_classes().
  virtual Index source_class(int /*leg*/, Index /*place*/) const { return 0; }
  virtual Index target_class(int /*leg*/, Index /*place*/) const { return 0; }
  virtual Index source_classes(int /*leg*/) const { return 1; }
  virtual Index target_classes(int /*leg*/) const { return 1; }
  /// Appends the links that a message takes on that leg, numbered from 0; none if the message need
  /// not move.
  virtual void add_links(int /*leg*/, Index /*source*/, Index /*target*/,
                         std::vector<Index>& /*links*/) const {}
  virtual Index links() const { return 0; }
  /// The number of parallel links that share that number.
  virtual Index width(Index /*link*/) const { return 1; }
  /// For people: "dimension 1 upwards from (0,3,2)".
  virtual std::string link_name(Index /*link*/) const { return {}; }

 protected:
  void nodes_are_routers() { enclosures_.front().has_links = false; }
  void add_enclosure(Enclosure enclosure) { enclosures_.push_back(std::move(enclosure)); }

 private:
  std::vector<Enclosure> enclosures_{{1, 1, "node"}};
};

/// A routing that has links only around nodes and around one other kind of enclosure, if given.
std::unique_ptr<const Routing> make_enclosed_routing(std::optional<Enclosure> enclosure = {});

/// Dimension-ordered shortest routes: a message first travels along the first dimension until that
/// coordinate is right, then along the next (W. J. Dally, C. L. Seitz, Deadlock-free message
/// routing in multiprocessor interconnection networks, IEEE Trans. Computers C-36 (1987) 547-553).
/// A message to the point half way round a ring goes upwards, as in SimGrid's tori; routers that
/// use both ways have less load.
std::unique_ptr<const Routing> make_torus_routing(const std::vector<int>& dimensions, int hosts,
                                                  Detail detail);

/// Two levels. A message to another leaf goes up one of the links, and comes down from the spine
/// there. The number of that link is the target's place modulo the number of links up (D-mod-k: E.
/// Zahavi, D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat
/// trees, CCIT Report 776, Technion 2010).
std::unique_ptr<const Routing> make_fat_tree_routing(int leaf_hosts, int leaves, int uplinks,
                                                     Detail detail);

/// Minimal routes: at most a link within the first group, one between the groups and one within the
/// last (J. Kim et al., Technology-driven, highly-scalable dragonfly topology, ISCA 2008). Every
/// two routers of a group are linked, and every two groups. The routers of a group take the links
/// to other groups in order (the absolute arrangement of E. Hastings et al., Comparing global link
/// arrangements for dragonfly networks, CLUSTER 2015). Bundled, only the links out of groups and
/// into them are counted.
std::unique_ptr<const Routing> make_dragonfly_routing(int groups, int routers, int hosts,
                                                      Detail detail);

}  // namespace weft
