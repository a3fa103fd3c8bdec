// Finds the groups of an exchange and adds up their loads.
#include "exchange/link_load.hpp"

namespace weft {

BusiestLink busiest_link(const Geometry& geometry, const JobNetwork& job) {
  if (geometry.stays()) return {};
  const Detail detail = detail_for(job.network, job.nodes, geometry.from.ranks());
  const auto element = static_cast<double>(geometry.element.bytes());
  const auto held = [&](const Layout& layout, int rank) {
    if (detail == Detail::links) return static_cast<double>(layout.box(rank).volume());
    if (layout.has_grid() && layout.position_of(rank) < 0) return 0.0;
    return static_cast<double>(volume(layout.global())) / layout.positions();
  };
  LinkLoads loads(job.network, detail);
  std::vector<Member> members;
  geometry.for_each_group([&](const std::vector<int>& group) {
    members.clear();
    for (const int rank : group)
      members.push_back(
          {job.place[rank], element * held(geometry.from, rank), held(geometry.to, rank)});
    loads.add(members);
  });
  return loads.busiest();
}

double all_to_all_load(const JobNetwork& job) {
  LinkLoads loads(job.network, detail_for(job.network, job.nodes, std::ssize(job.place)));
  std::vector<Member> all;
  for (const int place : job.place) all.push_back({place, 1, 1});
  loads.add(all);
  return loads.busiest().bytes;
}

}  // namespace weft
