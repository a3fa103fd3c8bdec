// Describes a plan as text, without MPI and for jobs of any size.
#pragma once

#include <string>
#include <weft/export.hpp>
#include <weft/options.hpp>
#include <weft/transform.hpp>

namespace weft {

/// The route in a job of any size, without starting the job: the text of Plan::describe.
/// `ranks_per_node` 0 puts all ranks on one node. Throws the Error that a plan would throw.
WEFT_API std::string describe(const Transform& transform, const Options& options, int ranks,
                              int ranks_per_node = 0);

}  // namespace weft
