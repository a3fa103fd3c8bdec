// Two axes at a time where their plane stays cached; complex transforms follow the one that makes
// the data complex.
#include "plan/local_transforms.hpp"

#include <algorithm>

#include "pass/pass.hpp"
#include "plan/columns.hpp"
#include "transform/kinds.hpp"

namespace weft {
namespace {

/// A complex FFT of one element is that element. An ellipse chooses modes while its axes are
/// transformed, so those axes stay.
bool is_identity(const Transform& transform, const Ellipse& ellipse, int axis) {
  return transform.kinds[axis] == Kind::c2c && transform.shape[axis] == 1 &&
         !is_round(ellipse, axis);
}

}  // namespace

LocalTransforms::LocalTransforms(const Transform& transform, const std::vector<SplitAxis>& axes,
                                 const Caches& caches)
    : transform_(transform), axes_(axes), caches_(caches), shape_(transform.shape) {
  const Ellipse ellipse = ellipse_of(transform);
  int left_out = -1;
  for (int axis = transform.shape.size() - 1; axis >= 0; --axis) {
    if (transform.kinds[axis] == Kind::none) continue;
    if (is_identity(transform, ellipse, axis)) {
      left_out = axis;
      continue;
    }
    remaining_.push_back(axis);
    if (is_half_complex(transform.kinds[axis])) half_ = axis;
  }
  // Functions and operators on the spectrum work between the steps of an axis.
  if (remaining_.empty() && left_out >= 0) remaining_.push_back(left_out);
  if (half_ >= 0)
    std::stable_partition(remaining_.begin(), remaining_.end(),
                          [&](int axis) { return axis == half_; });
}

bool LocalTransforms::is_done(int axis) const {
  return std::ranges::find(remaining_, axis) == remaining_.end();
}

bool LocalTransforms::may_transform(int axis) const {
  const auto split = std::ranges::find(axes_, axis, &SplitAxis::second);
  if (split != axes_.end() && !is_done(split->first)) return false;
  return half_ < 0 || axis == half_ || transform_.kinds[axis] != Kind::c2c || is_done(half_);
}

bool LocalTransforms::has_local(const Layout& layout) const {
  return std::ranges::any_of(
      remaining_, [&](int axis) { return layout.is_local(axis) && may_transform(axis); });
}

bool LocalTransforms::needs_one_exchange(const Layout& current, const Layout& target) const {
  return std::ranges::all_of(remaining_, [&](int axis) {
    const bool is_second = std::ranges::count(axes_, axis, &SplitAxis::second) > 0;
    return is_second ? target.is_local(axis) : current.is_local(axis);
  });
}

int LocalTransforms::next_absent(const Layout& layout) const {
  const auto absent = std::ranges::find_if(
      remaining_, [&](int axis) { return !layout.is_local(axis) && may_transform(axis); });
  return absent == remaining_.end() ? -1 : *absent;
}

Leg LocalTransforms::transform(const Layout& layout) {
  Leg leg{layout, layout, {}};
  // An axis that is local now but cannot join this plane waits: it may join a later one for
  // nothing.
  while (leg.axes.size() < 2) {
    const auto next = std::ranges::find_if(remaining_, [&](int axis) {
      return layout.is_local(axis) && may_transform(axis) &&
             (leg.axes.empty() || plane_fits(layout, leg.axes.front(), axis));
    });
    if (next == remaining_.end()) break;
    const int axis = *next;
    leg.axes.push_back(axis);
    remaining_.erase(next);
    if (const Index length = transform_.spectral_shape()[axis]; length != shape_[axis]) {
      shape_[axis] = length;
      leg.spectral = reshape(leg.spectral, axis);
    }
  }
  return leg;
}

/// Whether a pass of both axes is faster than a pass for each, which may unite all axes beside its
/// lines. The elements of a plane without the fastest axis lie in runs along that axis; half of the
/// second-level cache must hold long runs of them. If a plane has fewer lines than a vector has
/// lanes, the caches must hold enough planes to fill vectors.
bool LocalTransforms::plane_fits(const Layout& layout, int a, int b) const {
  const double bytes = transform_.precision == Precision::double_ ? 16 : 8;
  const double plane = static_cast<double>(shape_[a]) * static_cast<double>(shape_[b]) * bytes;
  const Index lanes = most_lanes(transform_.precision);
  if (const int fastest = fastest_axis(layout); fastest != a && fastest != b)
    return shape_[fastest] >= lanes &&
           plane * static_cast<double>(2 * lanes) <= static_cast<double>(caches_.level2 / 2);
  const Index together = std::min(shape_[a], shape_[b]) < lanes ? lanes : 1;
  return plane * static_cast<double>(together) <= static_cast<double>(plane_budget(caches_));
}

/// The fastest of the axes along which elements have neighbours; without any, the fastest.
int LocalTransforms::fastest_axis(const Layout& layout) const {
  const Order& order = layout.order();
  for (int place = order.size() - 1; place >= 0; --place)
    if (shape_[order[place]] > 1) return order[place];
  return order.back();
}

/// The layout with a whole axis of another length: the same split, or the same boxes with that
/// axis shortened. Ranks that hold nothing of the axis still hold nothing.
Layout LocalTransforms::reshape(const Layout& layout, int axis) const {
  if (layout.has_grid()) {
    PerAxis<std::vector<Index>> cuts;
    for (int a = 0; a < shape_.size(); ++a) cuts.push_back(layout.cuts(a));
    for (Index& cut : cuts[axis]) cut = cut > 0 ? shape_[axis] : 0;
    return layout.reshaped(shape_).cut_at(std::move(cuts));
  }
  std::vector<Box> boxes = layout.boxes();
  for (Box& box : boxes)
    if (!box.empty()) box.upper[axis] = shape_[axis];
  return Layout::boxes(shape_, std::move(boxes)).ordered(layout.order());
}

}  // namespace weft
