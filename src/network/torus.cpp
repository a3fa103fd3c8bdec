// Routes on tori. A bundle is all links of a dimension that one cut severs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "network/routing.hpp"

namespace weft {
namespace {

/// The positions of one ring: `first` has position 0, and neighbours are `step` apart.
struct Ring {
  Index first;
  Index step;
  Index length;
};

/// A router has two links in each ring, numbered 2 n upwards and 2 n + 1 downwards.
const char* way_of(Index link) { return link % 2 == 0 ? "upwards" : "downwards"; }

/// The steps from one position to another, the shorter way.
void add_hops(const Ring& ring, Index from, Index to, std::vector<Index>& links) {
  const Index up = (to - from + ring.length) % ring.length;
  const bool upwards = up <= ring.length - up;
  for (Index at = from; at != to; at = (at + (upwards ? 1 : ring.length - 1)) % ring.length)
    links.push_back(2 * (ring.first + at * ring.step) + (upwards ? 0 : 1));
}

class Torus : public Routing {
 public:
  Torus(const std::vector<int>& dimensions, int hosts) : hosts_(hosts) {
    for (const int dimension : dimensions) {
      lengths_.push_back(dimension);
      strides_.push_back(routers_);
      routers_ *= dimension;
    }
    if (hosts == 1) nodes_are_routers();
  }

  int legs() const override { return static_cast<int>(lengths_.size()); }

 protected:
  Index length(int leg) const { return lengths_[static_cast<std::size_t>(leg)]; }
  Index stride(int leg) const { return strides_[static_cast<std::size_t>(leg)]; }
  Index routers() const { return routers_; }
  Index router_of(Index place) const { return place / hosts_; }
  Index coordinate(int leg, Index router) const { return router / stride(leg) % length(leg); }

 private:
  std::vector<Index> lengths_, strides_;
  Index hosts_;
  Index routers_ = 1;
};

/// Before the leg along dimension k, a message has the target's coordinates before k, and the
/// source's from k on. So the source determines the position in the ring and the ring's later
/// coordinates. The target determines the ring's earlier coordinates and the position where the
/// message leaves it.
class EveryLinkOfATorus : public Torus {
 public:
  using Torus::Torus;
  Index source_class(int leg, Index place) const override { return router_of(place) / stride(leg); }
  Index target_class(int leg, Index place) const override {
    return router_of(place) % target_classes(leg);
  }
  Index source_classes(int leg) const override { return routers() / stride(leg); }
  Index target_classes(int leg) const override { return stride(leg) * length(leg); }
  void add_links(int leg, Index source, Index target, std::vector<Index>& links) const override {
    const Index later = source / length(leg) * length(leg) * stride(leg);
    const Index earlier = target % stride(leg);
    add_hops({leg * routers() + later + earlier, stride(leg), length(leg)}, source % length(leg),
             target / stride(leg), links);
  }
  Index links() const override { return 2 * legs() * routers(); }
  std::string link_name(Index link) const override {
    std::vector<Index> at;
    for (int leg = 0; leg < legs(); ++leg) at.push_back(coordinate(leg, link / 2 % routers()));
    return fmt::format("dimension {} {} from ({})", link / 2 / routers(), way_of(link),
                       fmt::join(at, ","));
  }
};

/// The parallel rings of a dimension as one ring.
class BundledTorus : public Torus {
 public:
  using Torus::Torus;
  Index source_class(int leg, Index place) const override {
    return coordinate(leg, router_of(place));
  }
  Index target_class(int leg, Index place) const override { return source_class(leg, place); }
  Index source_classes(int leg) const override { return length(leg); }
  Index target_classes(int leg) const override { return length(leg); }
  void add_links(int leg, Index source, Index target, std::vector<Index>& links) const override {
    add_hops({first(leg), 1, length(leg)}, source, target, links);
  }
  Index links() const override { return 2 * first(legs()); }
  Index width(Index link) const override { return routers() / length(leg_of(link)); }
  std::string link_name(Index link) const override {
    const int leg = leg_of(link);
    return fmt::format("dimension {} {} from {}, mean of all rings", leg, way_of(link),
                       link / 2 - first(leg));
  }

 private:
  Index first(int leg) const {
    Index sum = 0;
    for (int before = 0; before < leg; ++before) sum += length(before);
    return sum;
  }
  int leg_of(Index link) const {
    int leg = 0;
    while (link / 2 >= first(leg + 1)) ++leg;
    return leg;
  }
};

}  // namespace

std::unique_ptr<const Routing> make_torus_routing(const std::vector<int>& dimensions, int hosts,
                                                  Detail detail) {
  if (detail == Detail::bundles) return std::make_unique<BundledTorus>(dimensions, hosts);
  return std::make_unique<EveryLinkOfATorus>(dimensions, hosts);
}

}  // namespace weft
