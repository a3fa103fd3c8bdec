// Routes on fat trees of two levels. A bundle is all links between a leaf and the spines.
#include <fmt/format.h>

#include "network/routing.hpp"

namespace weft {
namespace {

/// Links up are numbered leaf by leaf; links down follow in the same order.
class FatTree : public Routing {
 public:
  FatTree(Index leaf_hosts, Index leaves, Index uplinks)
      : leaf_hosts_(leaf_hosts), leaves_(leaves), uplinks_(uplinks) {}

  int legs() const override { return 1; }
  Index source_class(int, Index place) const override { return place / leaf_hosts_; }
  Index target_class(int, Index place) const override {
    return place / leaf_hosts_ * uplinks_ + place % uplinks_;
  }
  Index source_classes(int) const override { return leaves_; }
  Index target_classes(int) const override { return leaves_ * uplinks_; }
  void add_links(int, Index source, Index target, std::vector<Index>& links) const override {
    if (source == target / uplinks_) return;
    links.push_back(source * uplinks_ + target % uplinks_);
    links.push_back(leaves_ * uplinks_ + target);
  }
  Index links() const override { return 2 * leaves_ * uplinks_; }
  std::string link_name(Index link) const override {
    const Index one_way = link % (leaves_ * uplinks_);
    return link == one_way
               ? fmt::format("leaf {} to spine {}", one_way / uplinks_, one_way % uplinks_)
               : fmt::format("spine {} to leaf {}", one_way % uplinks_, one_way / uplinks_);
  }

 private:
  Index leaf_hosts_, leaves_, uplinks_;
};

}  // namespace

std::unique_ptr<const Routing> make_fat_tree_routing(int leaf_hosts, int leaves, int uplinks,
                                                     Detail detail) {
  if (detail == Detail::links) return std::make_unique<FatTree>(leaf_hosts, leaves, uplinks);
  return make_enclosed_routing(Enclosure{leaf_hosts, uplinks, "leaf"});
}

}  // namespace weft
