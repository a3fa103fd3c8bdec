// Tracks the axes still to be transformed, and finds the axes that a rank can transform with its
// data. The caller decides where the data go next.
#pragma once

#include <utility>
#include <vector>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

#include "machine/caches.hpp"

namespace weft {

/// An axis of the caller's arrays as axes of a route; see split_axes.hpp.
struct SplitAxis {
  int first = 0;            ///< of m elements; transformed first
  int second = -1;          ///< of p elements; -1: the axis is not split
  Index first_length = 1;   ///< m
  Index second_length = 1;  ///< p
  Index classes = 1;  ///< k lies in the spectrum's layout in the order of k modulo this number

  Index length() const { return first_length * second_length; }

  bool is_split() const { return second >= 0; }
};

/// Data in one layout, and the axes that are transformed while they lie in it (in this order).
struct Leg {
  Layout physical;  ///< before its transforms
  Layout spectral;  ///< the same boxes after them
  std::vector<int> axes;
};

/// A walk from the physical array to its spectrum, leg by leg.
class LocalTransforms {
 public:
  /// `axes`: see RouteRequest.
  LocalTransforms(const Transform& transform, const std::vector<SplitAxis>& axes,
                  const Caches& caches);

  /// The legs from this layout to the end of all transforms. `exchanged` says after a leg in which
  /// layout the next one begins.
  template <class Exchanged>
  std::vector<Leg> walk(Layout current, Exchanged&& exchanged) {
    std::vector<Leg> legs;
    for (;;) {
      Leg leg = transform(current);
      // A first leg without transforms stands for the caller's array; later ones would be idle.
      if (legs.empty() || !leg.axes.empty()) {
        current = leg.spectral;
        legs.push_back(std::move(leg));
      }
      if (remaining_.empty()) return legs;
      current = exchanged(current);
    }
  }
  bool is_done(int axis) const;
  /// Whether anything can be transformed before an exchange.
  bool has_local(const Layout& layout) const;
  /// Whether one exchange from `current` to `target` finishes all axes: those that it makes local
  /// are second parts of split axes, and the others are local before.
  bool needs_one_exchange(const Layout& current, const Layout& target) const;
  /// The axis that an exchange should make local next; -1 if there is none.
  int next_absent(const Layout& layout) const;
  /// The global shape after the legs so far.
  const Shape& shape() const { return shape_; }

 private:
  /// The next leg in this layout: at most two local axes, whose plane must stay in the cache.
  Leg transform(const Layout& layout);
  bool may_transform(int axis) const;
  bool plane_fits(const Layout& layout, int a, int b) const;
  int fastest_axis(const Layout& layout) const;
  Layout reshape(const Layout& layout, int axis) const;

  const Transform& transform_;
  const std::vector<SplitAxis>& axes_;
  const Caches& caches_;
  std::vector<int> remaining_;
  int half_ = -1;
  Shape shape_;
};

}  // namespace weft
