// Finds the groups of an exchange and adds up their loads.
#include "tune/link_load.hpp"

#include <algorithm>

namespace weft {
namespace {

// Single messages are counted up to these numbers, which takes about a tenth of a second.
constexpr Index most_messages = Index{1} << 18U;
constexpr Index most_partners = Index{1} << 22U;  // of all ranks together
constexpr int most_steps = 16;

/// A sample of the steps of a group, spread over all of them.
struct Steps {
  int step(int sample) const { return static_cast<int>(Index{sample} * all / samples); }
  int all = 0;
  int samples = 0;  // 0: there are too many messages to count
};

Steps steps_of(int members, Index ranks) {
  const int all = members - 1 + members % 2;  // with an odd number each rank rests once
  if (ranks * members > most_partners) return {all, 0};
  return {all, static_cast<int>(std::min<Index>(std::min(most_steps, all), most_messages / ranks))};
}

/// Adds the messages of a group in each sampled step to the loads of that step.
void add_messages(const Geometry& geometry, const JobNetwork& job, const std::vector<int>& group,
                  PartnerOrder partners, const Steps& steps, std::vector<LinkLoads>& loads) {
  for (std::size_t member = 0; member < group.size(); ++member) {
    const auto order = partners(static_cast<int>(member), static_cast<int>(group.size()));
    for (int sample = 0; sample < steps.samples; ++sample) {
      const int step = steps.step(sample);
      const int partner = step < std::ssize(order) ? order[step].send_to : -1;
      if (partner < 0) continue;
      const int from = group[member], to = group[partner];
      const auto bytes = static_cast<double>(geometry.bytes_between(from, to));
      loads[sample].add({{job.place[from], bytes, 0}, {job.place[to], 0, 1}});
    }
  }
}

}  // namespace

ExchangeLoad exchange_load(const Geometry& geometry, const JobNetwork& job) {
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
  const BusiestLink busiest = loads.busiest();
  return {busiest, loads.mean_route()};
}

ExchangeLoad stepwise_load(const Geometry& geometry, const JobNetwork& job, PartnerOrder partners) {
  const ExchangeLoad together = exchange_load(geometry, job);
  if (together.busiest.bytes == 0) return {};
  const Detail detail = detail_for(job.network, job.nodes, geometry.from.ranks());
  int members = 1;
  geometry.for_each_group(
      [&](const std::vector<int>& group) { members = std::max<int>(members, std::ssize(group)); });
  const Steps steps = steps_of(members, geometry.from.ranks());
  if (detail == Detail::bundles || steps.samples == 0)
    return {together.busiest, together.links * steps.all};
  std::vector<LinkLoads> loads;
  for (int sample = 0; sample < steps.samples; ++sample) loads.emplace_back(job.network, detail);
  geometry.for_each_group([&](const std::vector<int>& group) {
    add_messages(geometry, job, group, partners, steps, loads);
  });
  double bytes = 0;
  for (LinkLoads& step : loads) bytes += step.busiest().bytes;
  return {{bytes * steps.all / steps.samples, ""}, together.links * steps.all};
}

double all_to_all_load(const JobNetwork& job) {
  LinkLoads loads(job.network, detail_for(job.network, job.nodes, std::ssize(job.place)));
  std::vector<Member> all;
  for (const int place : job.place) all.push_back({place, 1, 1});
  loads.add(all);
  return loads.busiest().bytes;
}

}  // namespace weft
