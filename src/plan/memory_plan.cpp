// First fit by decreasing size, as compilers place stack slots: optimal for the chains that occur,
// and easy to explain.
#include "plan/memory_plan.hpp"

#include <algorithm>

#include "machine/aligned_buffer.hpp"

namespace weft {
namespace {

/// The lifetime of one piece of memory in each of the schedules.
using Lives = std::vector<Lifetime>;

struct Region {
  std::size_t bytes;
  Lives lives;
  std::size_t* offset;
};

bool overlap(const Lives& a, const Lives& b) {
  for (std::size_t s = 0; s < a.size(); ++s)
    if (a[s].begin <= b[s].end && b[s].begin <= a[s].end) return true;
  return false;
}

/// Places regions; returns the arena's size.
std::size_t place(std::vector<Region> regions) {
  std::ranges::stable_sort(regions, std::greater<>(), &Region::bytes);
  std::size_t end = 0;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    std::size_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t other = 0; other < i; ++other) {
        const Region& placed = regions[other];
        if (!overlap(placed.lives, regions[i].lives)) continue;
        if (offset < *placed.offset + placed.bytes && *placed.offset < offset + regions[i].bytes) {
          offset = *placed.offset + placed.bytes;
          moved = true;
        }
      }
    }
    *regions[i].offset = offset;
    end = std::max(end, offset + regions[i].bytes);
  }
  return end;
}

/// When an exchange's memory is in use, by schedule.
struct ExchangeLives {
  Lives send, receive, own, window;
};

ExchangeLives lives_of(const std::vector<const Schedule*>& schedules, int exchange, bool held) {
  ExchangeLives lives;
  for (const Schedule* schedule : schedules) {
    ExchangeLifetimes life = lifetimes(*schedule, exchange, 0);
    if (held) life.receive.end = life.own.end = static_cast<int>(schedule->size());
    lives.send.push_back(life.send);
    lives.receive.push_back(life.receive);
    lives.own.push_back(life.own);
    lives.window.push_back(life.window);
  }
  return lives;
}

}  // namespace

MemoryPlan plan_memory(const std::vector<const Schedule*>& schedules,
                       const std::vector<MemoryNeeds>& needs, const std::vector<TargetUse>& targets,
                       int held) {
  MemoryPlan plan;
  plan.exchanges.resize(needs.size());
  std::vector<Region> regions;
  std::vector<std::vector<Lives>> users;  // of each window
  std::vector<Lives> target_users;
  for (std::size_t e = 0; e < needs.size(); ++e)
    if (targets[e] == TargetUse::delivers)
      target_users.push_back(lives_of(schedules, static_cast<int>(e), false).window);
  const auto is_free = [](const std::vector<Lives>& others, const Lives& window) {
    return std::ranges::none_of(others, [&](const Lives& other) { return overlap(other, window); });
  };
  for (std::size_t e = 0; e < needs.size(); ++e) {
    const int number = static_cast<int>(e);
    const ExchangeLives lives = lives_of(schedules, number, number == held);
    MemoryPlan::Place& spot = plan.exchanges[e];
    const auto add = [&](std::size_t bytes, const Lives& when, std::size_t& offset) {
      if (bytes > 0) regions.push_back({round_up(bytes, page_bytes), when, &offset});
    };
    add(needs[e].send, lives.send, spot.send);
    add(needs[e].receive, lives.receive, spot.receive);
    add(needs[e].own, lives.own, spot.own);
    spot.in_target =
        targets[e] == TargetUse::delivers ||
        (targets[e] == TargetUse::before && needs[e].window && is_free(target_users, lives.window));
    if (spot.in_target) {
      target_users.push_back(lives.window);
      plan.target_bytes = std::max(plan.target_bytes, needs[e].window.value_or(0));
      continue;
    }
    if (!needs[e].window) continue;
    const auto free = std::ranges::find_if(
        users, [&](const std::vector<Lives>& others) { return is_free(others, lives.window); });
    spot.window = static_cast<int>(free - users.begin());
    if (free == users.end()) {
      users.emplace_back();
      plan.window_bytes.push_back(0);
    }
    users[spot.window].push_back(lives.window);
    plan.window_bytes[spot.window] = std::max(plan.window_bytes[spot.window], *needs[e].window);
  }
  plan.arena_bytes = place(std::move(regions));
  return plan;
}

}  // namespace weft
