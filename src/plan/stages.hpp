// What all routes have in common: the stages that a chain of legs becomes, that is what each pass
// computes and between which layouts, and the caller's arrays at the ends.
#pragma once

#include <functional>
#include <vector>

#include "plan/local_transforms.hpp"
#include "plan/route.hpp"
#include "transform/kinds.hpp"

namespace weft {

/// The layouts of the physical array and of the spectrum.
struct Ends {
  Layout physical;
  Layout spectral;  ///< without axes: wherever the chain ends
};

std::vector<Stage> make_stages(const std::vector<Leg>& legs, const Transform& transform,
                               Sense sense);

/// The axes along which data are spectral behind stage `before`; the nearer their transforms, the
/// later.
std::vector<int> spectral_axes(const std::vector<Stage>& stages, std::size_t before);

/// With two steps, lines of one of the axes are contiguous in the planes between them: of the
/// first, unless only the last one's are where the pass writes.
void mark_contiguous_lines(Route& route);

/// A route without exchanges yet.
Route make_passes(const std::vector<Leg>& legs, const RouteRequest& request, Direction direction,
                  const Topology& topology);

Routes in_both_directions(const Transform& transform, const CallerArray& physical,
                          const CallerArray& spectral,
                          const std::function<Route(Direction)>& make_route);

/// Whether such elements can be sent in that form; `fixed12` is one of complex numbers.
bool has_form(const Element& element, Wire wire);
/// An element as it is sent; throws where it has no such form.
Element on_the_wire(Element element, Wire wire);

}  // namespace weft
