// From a chain of legs to the stages of one direction: what each pass computes, and between which
// layouts.
#pragma once

#include <vector>

#include "plan/chain.hpp"
#include "plan/route.hpp"

namespace weft {

std::vector<Stage> make_stages(const std::vector<Leg>& legs, const Transform& transform,
                               bool analysis);

/// The axes along which data are spectral behind stage `before`; the nearer their transforms, the
/// later.
std::vector<int> spectral_axes(const std::vector<Stage>& stages, std::size_t before);

/// With two steps, lines of one of the axes are contiguous in the planes between them: of the
/// first, unless only the last one's are where the pass writes.
void mark_contiguous_lines(Route& route);

}  // namespace weft
