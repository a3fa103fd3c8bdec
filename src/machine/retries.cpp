// Yields, so that ranks that share a core do not block each other.
#include "machine/retries.hpp"

#include <sched.h>

namespace weft {

void Retries::pause() {
  if (++pauses_ > eager_) sched_yield();
}

}  // namespace weft
