// The instruction set of Weft's kernels: the best one of the processor, or a lesser one on request.
// The limit serves tests for other processors, and the same bits on several processor generations.
#pragma once

#include <string>

namespace weft {

/// The best instruction set in use: "avx512", "avx2", "sse4", "neon" or "plain".
std::string instruction_set();

/// From now on, new plans of this process use no better instruction set than this; an empty name
/// sets no limit. Throws an Error if this processor lacks the instruction set.
void limit_instruction_set(const std::string& name);

}  // namespace weft
