// What a plan would do, as text, without MPI and for jobs of any size.
#pragma once

#include <string>
#include <weft/export.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

namespace weft {

/// The route for any rank of any job size, without starting it: what Plan::describe prints.
/// `ranks_per_node` 0 puts all ranks on one node. Throws the Error that a plan would.
WEFT_API std::string describe(const Transform& transform, const Options& options, int ranks,
                              int ranks_per_node = 0);

}  // namespace weft
