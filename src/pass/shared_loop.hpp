// A loop that threads share; no other file knows OpenMP. Each thread has the same part of a loop in
// every call, which keeps its data in its caches at the cost of balance between uneven units.
#pragma once

#include <functional>
#include <weft/axes.hpp>

namespace weft {

/// Who has which units of a loop: each thread a block of neighbours, or all threads in turns.
enum class Sharing { blocks, turns };

/// Calls work(unit, worker) for each unit from 0 to units - 1; workers are the threads, numbered
/// from 0 to threads - 1. What they stored past the caches is visible afterwards. Throws what one
/// of the calls has thrown.
void share_loop(int threads, Index units, Sharing sharing,
                const std::function<void(Index unit, int worker)>& work);

}  // namespace weft
