// The common parts of all routes: the stages made from a chain of legs, and the caller's arrays at
// the ends. A stage holds the computation and the layouts of one pass.
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
  Layout spectral;  ///< without axes: the layout in which the chain ends
};

std::vector<Stage> make_stages(const std::vector<Leg>& legs, const Transform& transform,
                               Sense sense);

/// The axes along which data are spectral after stage `before`. Axes transformed nearby come last.
std::vector<int> spectral_axes(const std::vector<Stage>& stages, std::size_t before);

/// Marks the steps whose lines are contiguous in memory, or have few neighbours. With two steps,
/// only one is marked: the first if the pass reads contiguous lines, the last if the pass writes
/// them, and the longer one if the pass does both.
void mark_contiguous_lines(Route& route);

/// A route without exchanges yet.
Route make_passes(const std::vector<Leg>& legs, const RouteRequest& request, Direction direction,
                  const Topology& topology);

Routes in_both_directions(const Transform& transform, const CallerArray& physical,
                          const CallerArray& spectral,
                          const std::function<Route(Direction)>& make_route);

/// Whether elements of this type can be sent in this form; `fixed12` is a form of complex numbers.
bool has_form(const Element& element, Wire wire);
/// The element as it is sent; throws if the element cannot be sent in this form.
Element on_the_wire(Element element, Wire wire);

}  // namespace weft
