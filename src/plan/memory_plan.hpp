// Places the buffers of a program; buffers whose lifetimes do not overlap share memory.
#pragma once

#include <vector>

#include "exchange/exchange.hpp"
#include "plan/schedule.hpp"

namespace weft {

/// Offsets into one private arena, and the number of the window, for each exchange of one field.
struct MemoryPlan {
  struct Place {
    std::size_t send = 0;
    std::size_t receive = 0;
    std::size_t own = 0;
    int window = -1;
    bool in_target = false;  ///< its window is the array that the last exchange delivers into
  };
  std::vector<Place> exchanges;
  std::size_t arena_bytes = 0;
  /// The largest need of each window. All ranks have equally many windows.
  std::vector<std::size_t> window_bytes;
  /// The largest need of a window that is the array of the last exchange.
  std::size_t target_bytes = 0;
};

/// How an exchange uses the caller's array as its window. `before`: if it is over before the
/// exchange that delivers begins. `delivers`: the last exchange may fill the caller's array.
enum class TargetUse { never, before, delivers };

/// Plans a field's memory, which serves any of the schedules. `needs[e]`: the needs of exchange e
/// on this rank. The blocks that arrive by exchange `held` are kept until the end.
MemoryPlan plan_memory(const std::vector<const Schedule*>& schedules,
                       const std::vector<MemoryNeeds>& needs, const std::vector<TargetUse>& targets,
                       int held = -1);

}  // namespace weft
