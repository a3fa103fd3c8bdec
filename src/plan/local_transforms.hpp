// Tracks the axes still to be transformed, and finds the axes that a rank can transform with its
// data. The caller decides where the data go next.
#pragma once

#include <utility>
#include <vector>
#include <weft/layout.hpp>
#include <weft/transform.hpp>

#include "machine/caches.hpp"

namespace weft {

/// Data in one layout, and the axes that are transformed while they lie in it (in this order).
struct Leg {
  Layout physical;  ///< before its transforms
  Layout spectral;  ///< the same boxes after them
  std::vector<int> axes;
};

/// A walk from the physical array to its spectrum, leg by leg.
class LocalTransforms {
 public:
  LocalTransforms(const Transform& transform, const Caches& caches);

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
  const Caches& caches_;
  std::vector<int> remaining_;
  int half_ = -1;
  Shape shape_;
};

}  // namespace weft
