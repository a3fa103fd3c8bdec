// First fit by size, as compilers place stack slots: optimal for the chains that occur, and
// explainable.
#include "plan/memory_plan.hpp"

#include <algorithm>

#include "pass/aligned_buffer.hpp"

namespace weft {
namespace {

struct Region {
  std::size_t bytes;
  Lifetime life;
  std::size_t* offset;
};

bool overlap(const Lifetime& a, const Lifetime& b) { return a.begin <= b.end && b.begin <= a.end; }

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
        if (!overlap(placed.life, regions[i].life)) continue;
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

}  // namespace

MemoryPlan plan_memory(const Schedule& schedule, const std::vector<MemoryNeeds>& needs,
                       const std::vector<bool>& delivered, int held) {
  MemoryPlan plan;
  plan.exchanges.resize(needs.size());
  std::vector<Region> regions;
  std::vector<int> last_release;
  for (std::size_t e = 0; e < needs.size(); ++e) {
    ExchangeLifetimes life = lifetimes(schedule, static_cast<int>(e), 0);
    if (static_cast<int>(e) == held)
      life.receive.end = life.own.end = static_cast<int>(schedule.size());
    MemoryPlan::Place& spot = plan.exchanges[e];
    const auto add = [&](std::size_t bytes, const Lifetime& lifetime, std::size_t& offset) {
      if (bytes > 0) regions.push_back({round_up(bytes, page_bytes), lifetime, &offset});
    };
    add(needs[e].send, life.send, spot.send);
    add(needs[e].receive, life.receive, spot.receive);
    add(needs[e].own, life.own, spot.own);
    if (!needs[e].window || delivered[e]) continue;
    const auto free =
        std::ranges::find_if(last_release, [&](int end) { return end < life.window.begin; });
    spot.window = static_cast<int>(free - last_release.begin());
    if (free == last_release.end()) {
      last_release.push_back(0);
      plan.window_bytes.push_back(0);
    }
    last_release[spot.window] = life.window.end;
    plan.window_bytes[spot.window] = std::max(plan.window_bytes[spot.window], *needs[e].window);
  }
  plan.arena_bytes = place(std::move(regions));
  return plan;
}

}  // namespace weft
