// Routes on dragonflies, and on networks that count only the bytes that leave a part.
#include <fmt/format.h>

#include <algorithm>

#include "network/routing.hpp"

namespace weft {
namespace {

/// Links within groups are numbered by (group, router, router). Links between groups follow,
/// numbered by (group, group).
class Dragonfly : public Routing {
 public:
  Dragonfly(Index groups, Index routers, Index hosts)
      : groups_(groups),
        routers_(routers),
        hosts_(hosts),
        groups_per_router_(std::max<Index>(1, (groups - 2 + routers) / routers)) {}

  int legs() const override { return 1; }
  Index source_class(int, Index place) const override { return place / hosts_; }
  Index target_class(int, Index place) const override { return place / hosts_; }
  Index source_classes(int) const override { return groups_ * routers_; }
  Index target_classes(int) const override { return groups_ * routers_; }
  void add_links(int, Index source, Index target, std::vector<Index>& links) const override {
    const Index from = source / routers_, to = target / routers_;
    if (from == to) return add_local(source, target, links);
    add_local(source, gateway(from, to), links);
    links.push_back(local_links() + from * groups_ + to);
    add_local(gateway(to, from), target, links);
  }
  Index links() const override { return local_links() + groups_ * groups_; }
  std::string link_name(Index link) const override {
    if (link >= local_links())
      return fmt::format("group {} to group {}", (link - local_links()) / groups_,
                         (link - local_links()) % groups_);
    return fmt::format("group {}, router {} to router {}", link / routers_ / routers_,
                       link / routers_ % routers_, link % routers_);
  }

 private:
  Index local_links() const { return groups_ * routers_ * routers_; }
  /// The router of a group, among all routers, that has the link to another group.
  Index gateway(Index group, Index other) const {
    const Index place = other < group ? other : other - 1;
    return group * routers_ + place / groups_per_router_;
  }
  void add_local(Index from, Index to, std::vector<Index>& links) const {
    if (from != to) links.push_back(from * routers_ + to % routers_);
  }

  Index groups_, routers_, hosts_, groups_per_router_;
};

class Enclosed : public Routing {
 public:
  explicit Enclosed(std::optional<Enclosure> enclosure) {
    if (enclosure) add_enclosure(*std::move(enclosure));
  }
};

}  // namespace

std::unique_ptr<const Routing> make_dragonfly_routing(int groups, int routers, int hosts,
                                                      Detail detail) {
  if (detail == Detail::links) return std::make_unique<Dragonfly>(groups, routers, hosts);
  // As many links leave a group as there are other groups.
  return make_enclosed_routing(
      Enclosure{Index{routers} * hosts, std::max<Index>(1, groups - 1), "group"});
}

std::unique_ptr<const Routing> make_enclosed_routing(std::optional<Enclosure> enclosure) {
  return std::make_unique<Enclosed>(std::move(enclosure));
}

}  // namespace weft
