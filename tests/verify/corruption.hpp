// A layer between Weft and MPI that alters data on their way, once and on purpose. It replaces
// MPI's functions for the whole executable, so programs that link it are for such tests alone.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace weft::test {

/// Where data are altered: before MPI reads them, or after it has said that they have arrived.
enum class Moment { sending, arrived };

/// The bytes of one block.
using Bytes = std::span<std::byte>;

struct Corruption {
  Moment moment = Moment::sending;
  std::vector<int> peers;  ///< world ranks, one block of each
  int skipped = 0;         ///< how many blocks are left as they are before
  std::function<void(const std::vector<Bytes>& blocks)> alter;
};

/// From now on this rank looks for the next blocks, one for each peer, that are large enough to
/// hold data, and alters them.
void corrupt_next(Corruption corruption);
/// Stops looking; true if the blocks were found.
bool was_corrupted();

/// This rank's memory in all windows that it has allocated and not freed.
std::vector<Bytes> own_window_memory();

}  // namespace weft::test
