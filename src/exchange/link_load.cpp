// Finds the groups of an exchange and adds up their loads.
#include "exchange/link_load.hpp"

#include <algorithm>

#include "exchange/peer_orders.hpp"

namespace weft {
namespace {

constexpr Index most_messages = Index{1} << 18U;  // looked at, of an exchange: a tenth of a second
constexpr int most_turns = 16;

/// Steps of a group, in turns of those that are on their way together: half as many again as one
/// rank has, since ranks do not keep step, unless each waits for its partner. The factor is fitted
/// to simulations. Turns that are looked at are spread over all of them.
struct Turns {
  int first(int turn) const { return static_cast<int>(Index{turn} * all / looked_at) * at_once; }
  int at_once = 1;
  int all = 0;
  int looked_at = 0;
};

Turns turns_of(int members, int ranks, int at_once) {
  Turns turns{at_once + at_once / 2};
  turns.all = (members - 2 + turns.at_once) / turns.at_once;
  turns.looked_at = static_cast<int>(std::min<Index>(
      std::min(most_turns, turns.all), most_messages / (Index{ranks} * turns.at_once)));
  return turns;
}

/// What a group sends in the turns looked at, to the links of each.
void add_messages(const Geometry& geometry, const JobNetwork& job, const std::vector<int>& group,
                  const MessageOrder& order, const Turns& turns, std::vector<LinkLoads>& loads) {
  std::vector<int> node;
  for (const int rank : group) node.push_back(job.place[rank]);
  for (std::size_t member = 0; member < group.size(); ++member) {
    const std::vector<PeerStep> steps = order.steps(static_cast<int>(member), node);
    for (int turn = 0; turn < turns.looked_at; ++turn) {
      const int first = turns.first(turn);
      for (int step = first; step < std::min<int>(first + turns.at_once, std::ssize(steps));
           ++step) {
        const int peer = steps[step].send_to;
        if (peer < 0) continue;
        const Index bytes = geometry.bytes_between(group[member], group[peer]);
        loads[turn].add({{node[member], static_cast<double>(bytes), 0}, {node[peer], 0, 1}});
      }
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

ExchangeLoad exchange_load(const Geometry& geometry, const JobNetwork& job,
                           const MessageOrder& order) {
  const ExchangeLoad together = exchange_load(geometry, job);
  const Detail detail = detail_for(job.network, job.nodes, geometry.from.ranks());
  int members = 1;
  geometry.for_each_group(
      [&](const std::vector<int>& group) { members = std::max<int>(members, std::ssize(group)); });
  if (order.steps == nullptr || members - 1 <= order.at_once || together.busiest.bytes == 0)
    return together;
  const Turns turns = turns_of(members, geometry.from.ranks(), order.at_once);
  const double routes = order.at_once == 1 ? turns.all : 1;
  if (detail == Detail::bundles || turns.looked_at == 0)
    return {together.busiest, together.route * routes};
  std::vector<LinkLoads> loads;
  for (int turn = 0; turn < turns.looked_at; ++turn) loads.emplace_back(job.network, detail);
  geometry.for_each_group([&](const std::vector<int>& group) {
    add_messages(geometry, job, group, order, turns, loads);
  });
  double bytes = 0;
  for (LinkLoads& turn : loads) bytes += turn.busiest().bytes;
  return {{bytes * turns.all / turns.looked_at, ""}, together.route * routes};
}

double all_to_all_load(const JobNetwork& job) {
  LinkLoads loads(job.network, detail_for(job.network, job.nodes, std::ssize(job.place)));
  std::vector<Member> all;
  for (const int place : job.place) all.push_back({place, 1, 1});
  loads.add(all);
  return loads.busiest().bytes;
}

}  // namespace weft
