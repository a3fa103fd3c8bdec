// All ranks in one process: the exchange for tests without MPI.
#pragma once

#include <map>
#include <utility>

#include "exchange/block_buffers.hpp"

namespace weft {

/// Lets the ranks of one process find each other's buffers, by rank, for one exchange of one field.
class LoopbackWorld {
 public:
  std::map<int, const BlockBuffers*> buffers;
};

}  // namespace weft
