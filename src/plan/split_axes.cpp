// Layouts decide the splits: cyclic parts of the points are single indices s, cyclic parts of the
// spectrum are k modulo their number, and blocks must consist of whole rows of their pairs.
#include "plan/split_axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "layout/partition.hpp"

namespace weft {
namespace {

/// How one end holds an axis.
struct AxisEnd {
  const Layout& layout;
  int axis;

  bool is_dealt() const { return layout.is_dealt(axis); }
  bool is_whole() const { return layout.is_local(axis); }
  Index classes() const { return layout.classes(axis); }
  /// The greatest length of which all blocks are multiples.
  Index unit() const {
    Index unit = layout.global()[axis];
    if (!layout.has_grid()) return is_whole() ? unit : 1;
    for (Index cut : layout.cuts(axis)) unit = std::gcd(unit, cut);
    return unit;
  }
};

[[noreturn]] void fail(int axis, Index length, const std::string& reason) {
  throw Error(fmt::format("layouts: axis {} of {} elements {}", axis, length, reason));
}

/// Calls visit(p, m) for all p m = n.
template <class Visit>
void for_each_split(Index n, Visit&& visit) {
  for (Index low = 1; low * low <= n; ++low) {
    if (n % low != 0) continue;
    visit(low, n / low);
    if (low * low != n) visit(n / low, low);
  }
}

bool is_single_axis(const Transform& transform) {
  return transform.shape.size() == 1 && transform.kinds.front() == Kind::c2c;
}

bool keeps_all(const Transform& transform, int axis) {
  return transform.modes.empty() || transform.modes[static_cast<std::size_t>(axis)] == Modes{};
}

/// The second length of a transformed axis with a cyclic end; 1 if the axis is not split.
Index second_of_dealt(const AxisEnd& physical, const AxisEnd& spectral) {
  const Index n = physical.layout.global()[physical.axis];
  const Index p = physical.classes(), q = spectral.classes();
  if (n % p != 0)
    fail(physical.axis, n, fmt::format("is dealt out to {} parts: valid are divisors of it", p));
  const Index m = n / p;
  if (spectral.is_dealt() && m % q != 0)
    fail(
        physical.axis, n,
        fmt::format("is dealt out to {} parts at one end and {} at the other: the length must be a "
                    "multiple of {} x {}; valid is also another partition, for example balanced",
                    p, q, p, q));
  if (!spectral.is_dealt() && !spectral.is_whole() && spectral.unit() % m != 0)
    fail(physical.axis, n,
         fmt::format(
             "is cyclic at one end; at the other, valid are cyclic parts, the whole axis, or "
             "blocks of multiples of {}",
             m));
  return p;
}

/// The second length of an axis that is not transformed: its classes where only one end has them.
Index second_of_moved(const AxisEnd& physical, const AxisEnd& spectral) {
  if (physical.classes() == spectral.classes()) return 1;
  const Index n = physical.layout.global()[physical.axis];
  const auto& [dealt, other] =
      physical.is_dealt() ? std::pair(physical, spectral) : std::pair(spectral, physical);
  const Index p = dealt.classes();
  if (other.is_dealt())
    fail(
        physical.axis, n,
        fmt::format("is dealt out to {} parts at one end and {} at the other, and not transformed; "
                    "valid is as many at both, or a layout of blocks in between",
                    physical.classes(), spectral.classes()));
  if (n % p != 0 || (!other.is_whole() && other.unit() % p != 0))
    fail(
        physical.axis, n,
        fmt::format("is dealt out to {} parts at one end, and not transformed; valid at the other "
                    "are as many cyclic parts, and, of lengths that {} divides, the whole axis and "
                    "blocks of multiples of {}",
                    p, p, p));
  return p;
}

/// Lengths p and m of the two axes.
struct Lengths {
  Index second = 1;
  Index first = 1;
};

/// The lengths for a single axis whose open ends are to be blocks: blocks as even as possible, then
/// lengths near to the square root. Empty if there are none with as many indices as positions;
/// where no end is open, the caller's blocks may leave positions empty, and then so may those in
/// between.
std::optional<Lengths> lengths_of_single_axis(const RouteRequest& request, const OpenEnds& open,
                                              const Ends& ends) {
  const Index n = request.transform.shape[0], positions = ends.physical.positions();
  const bool is_alike = open.spectral && request.options.output == OutputLayout::natural;
  const Index physical_unit = open.physical ? n : AxisEnd{ends.physical, 0}.unit();
  const Index spectral_unit = open.spectral ? n : AxisEnd{ends.spectral, 0}.unit();
  const auto longest = [&](Index unit) { return (n / unit + positions - 1) / positions * unit; };
  const auto cost = [&](const Lengths& lengths) {
    const auto& [p, m] = lengths;
    const Index part = is_alike ? longest(std::lcm(p, m)) : std::max(longest(p), longest(m));
    return std::pair(part, std::max(p, m));
  };
  const Index least = open.physical || open.spectral ? positions : 2;
  std::optional<Lengths> best;
  for_each_split(n, [&](Index p, Index m) {
    if (p < least || m < least || physical_unit % p != 0 || spectral_unit % m != 0) return;
    if (is_alike && (!open.physical ? physical_unit % m != 0 : std::gcd(p, m) < positions)) return;
    if (const Lengths lengths{p, m}; !best || cost(lengths) < cost(*best)) best = lengths;
  });
  return best;
}

class Splitter {
 public:
  Splitter(const RouteRequest& request, const Ends& ends) : request_(request), ends_(ends) {
    for (int axis = 0; axis < shape().size(); ++axis) seconds_.push_back(second_of(axis));
  }

  bool is_needed() const {
    return std::ranges::any_of(seconds_, [](Index second) { return second > 1; }) || is_dealt_;
  }

  SplitRequest made() const {
    SplitRequest split{request_, {}};
    Transform& transform = split.request.transform;
    split.request.input = split.request.output = {};
    transform.shape = {};
    transform.kinds.clear();
    transform.modes.clear();
    for (int axis = 0; axis < shape().size(); ++axis) add_axes(axis, split.request);
    split.ends.physical = layout(ends_.physical, split, transform.shape, true);
    split.ends.spectral = layout(ends_.spectral, split, transform.spectral_shape(), false);
    return split;
  }

 private:
  const Shape& shape() const { return request_.transform.shape; }
  Kind kind(int axis) const { return request_.transform.kinds[static_cast<std::size_t>(axis)]; }

  Index second_of(int axis) {
    const AxisEnd physical{ends_.physical, axis}, spectral{ends_.spectral, axis};
    if (!physical.is_dealt() && !spectral.is_dealt()) {
      const bool is_shared = is_single_axis(request_.transform) && !physical.is_whole() &&
                             ends_.physical.has_grid() && ends_.spectral.has_grid();
      if (!is_shared || !keeps_all(request_.transform, axis)) return 1;
      const auto lengths = lengths_of_single_axis(request_, {false, false}, ends_);
      return lengths ? lengths->second : 1;
    }
    is_dealt_ = true;
    if (kind(axis) == Kind::none) return second_of_moved(physical, spectral);
    if (std::ranges::count(request_.transform.kinds, Kind::r2c_packed) > 0)
      fail(axis, shape()[axis],
           "is cyclic, but modes k and -k of r2c_packed must share a rank; valid is the kind r2c");
    if (kind(axis) != Kind::c2c)
      fail(axis, shape()[axis],
           fmt::format("is transformed as {}: it cannot be cyclic, as only c2c can; valid is a "
                       "grid with 1 process for it",
                       to_string(kind(axis))));
    if (!keeps_all(request_.transform, axis) || !request_.transform.ellipse.empty())
      fail(axis, shape()[axis], "is cyclic, so all of its modes are kept; valid is modes=all");
    if (physical.is_dealt()) return second_of_dealt(physical, spectral);
    if (shape()[axis] % spectral.classes() != 0)
      fail(axis, shape()[axis],
           fmt::format("is dealt out to {} parts: valid are divisors of it", spectral.classes()));
    const Index second = shape()[axis] / spectral.classes();
    const bool is_shared = is_single_axis(request_.transform) && !physical.is_whole();
    return is_shared && physical.unit() % second == 0 ? second : 1;
  }

  void add_axes(int axis, RouteRequest& request) const {
    Transform& transform = request.transform;
    const Index second = seconds_[axis];
    const auto add = [&](Index length) {
      transform.shape.push_back(length);
      transform.kinds.push_back(kind(axis));
      if (!request_.transform.modes.empty())
        transform.modes.push_back(request_.transform.modes[static_cast<std::size_t>(axis)]);
      return transform.shape.size() - 1;
    };
    SplitAxis split;
    split.first_length = shape()[axis] / second;
    split.second_length = second;
    split.first = add(split.first_length);
    if (second > 1) split.second = add(second);
    split.classes = ends_.spectral.classes(axis);
    request.axes.push_back(split);
  }

  /// A caller's axis at one end: its axes in memory, and the one that the layout's parts cut.
  struct Place {
    int slow = 0;
    int fast = 0;
    int cut = 0;
  };
  /// Dealt points are ranges of s, blocks of them ranges of j; dealt modes are ranges of k, blocks
  /// of them ranges of q. Within parts of one class, q is slower than k. `is_physical`: the axis
  /// has points at this end.
  static Place place_of(const SplitAxis& axis, Index first_length, Index classes,
                        bool is_physical) {
    const int first = axis.first, second = axis.second;
    if (!axis.is_split()) return {first, first, first};
    const bool is_dealt = classes > 1;
    if (is_physical) return is_dealt ? Place{second, first, second} : Place{first, second, first};
    if (!is_dealt) return {second, first, second};
    return classes == first_length ? Place{first, second, first} : Place{second, first, first};
  }

  /// The caller's layout in axes of the route.
  Layout layout(const Layout& joined, const SplitRequest& made, const Shape& split_shape,
                bool is_physical) const {
    if (!joined.has_grid())
      throw Error("layouts: beside a cyclic one, valid are layouts made from a process grid");
    const int count = split_shape.size();
    auto split = PerAxis<std::vector<int>>::filled(count, {});
    auto cuts = PerAxis<std::vector<Index>>::filled(count, {});
    for (int axis = 0; axis < count; ++axis) cuts[axis] = {0, split_shape[axis]};
    std::vector<Place> places;
    for (int axis = 0; axis < shape().size(); ++axis) {
      const SplitAxis& own = made.request.axes[static_cast<std::size_t>(axis)];
      const bool has_points = is_physical || kind(axis) == Kind::none;
      const Place place = place_of(own, split_shape[own.first], joined.classes(axis), has_points);
      if (own.is_split() && !has_points && place.cut == place.fast) check_classes(joined, axis);
      split[place.cut] = joined.split()[axis];
      cuts[place.cut] = joined.cuts(axis);
      const Index unit = joined.global()[axis] / split_shape[place.cut];
      for (Index& cut : cuts[place.cut]) cut /= unit;
      places.push_back(place);
    }
    const Layout contiguous = Layout::grid(split_shape, joined.process_grid(), std::move(split))
                                  .cut_at(std::move(cuts))
                                  .spread(joined.ranks(), joined.stride_of_ranks())
                                  .ordered(order(joined.order(), places));
    return joined.has_gaps() ? with_gaps(contiguous, joined, places) : contiguous;
  }

  static void check_classes(const Layout& joined, int axis) {
    const std::vector<Index>& cuts = joined.cuts(axis);
    const Index class_length = joined.global()[axis] / joined.classes(axis);
    for (std::size_t part = 0; part + 1 < cuts.size(); ++part)
      if (cuts[part + 1] - cuts[part] > class_length)
        fail(axis, joined.global()[axis],
             fmt::format("is scrambled by {}: a rank may then hold only one class",
                         joined.classes(axis)));
  }

  static Order order(const Order& joined, const std::vector<Place>& places) {
    Order order;
    for (int axis : joined) {
      const Place& place = places[static_cast<std::size_t>(axis)];
      order.push_back(place.slow);
      if (place.fast != place.slow) order.push_back(place.fast);
    }
    return order;
  }

  static Layout with_gaps(const Layout& contiguous, const Layout& joined,
                          const std::vector<Place>& places) {
    const bool is_strided = joined.padding().empty();
    auto entries = PerAxis<Index>::filled(contiguous.global().size(), 0);
    for (int axis = 0; axis < joined.global().size(); ++axis) {
      const Place& place = places[static_cast<std::size_t>(axis)];
      Index entry = is_strided ? joined.strides(0)[axis] : joined.padding()[axis];
      if (!is_strided && entry > 0 && place.slow != place.fast) {
        if (axis != joined.order()[0])
          fail(axis, joined.global()[axis],
               "is split, so it can be padded only as the slowest axis in memory; valid is padding "
               "0");
        entry = 0;  // behind the last element
      }
      entries[place.slow] = entry * (is_strided ? contiguous.longest_part(place.fast) : 1);
      entries[place.fast] = entry;
    }
    return is_strided ? contiguous.strided(entries) : contiguous.padded(entries);
  }

  const RouteRequest& request_;
  const Ends& ends_;
  PerAxis<Index> seconds_;
  bool is_dealt_ = false;
};

/// Blocks of multiples of `unit`, as equal as these allow.
Layout blocks_of_units(const Layout& layout, Index unit) {
  std::vector<Index> cuts =
      cuts_of(layout.global()[0] / unit, {layout.positions()}, Partition::balanced);
  for (Index& cut : cuts) cut *= unit;
  return layout.cut_at({std::move(cuts)});
}

void open_single_axis(const RouteRequest& request, const OpenEnds& open, Ends& ends) {
  const auto lengths = lengths_of_single_axis(request, open, ends);
  if (!lengths) return;
  const auto& [p, m] = *lengths;
  const bool is_alike = open.spectral && request.options.output == OutputLayout::natural;
  if (open.physical) ends.physical = blocks_of_units(ends.physical, is_alike ? std::lcm(p, m) : p);
  if (!open.spectral) return;
  const int positions = ends.physical.positions();
  if (is_alike)
    ends.spectral = ends.physical;
  else if (request.options.output == OutputLayout::scrambled)
    ends.spectral = Layout::scrambled(p * m, m, positions);
  else
    ends.spectral = blocks_of_units(Layout::slabs(request.transform.shape, positions), m);
  ends.spectral =
      ends.spectral.contiguous().spread(ends.physical.ranks(), ends.physical.stride_of_ranks());
}

}  // namespace

void choose_open_ends(const RouteRequest& request, const OpenEnds& open, Ends& ends) {
  const Transform& transform = request.transform;
  if (open.spectral && ends.physical.partition() == Partition::cyclic) {
    ends.spectral = ends.physical.reshaped(transform.spectral_shape());
  } else if (open.physical && ends.spectral.partition() == Partition::cyclic) {
    ends.physical = ends.spectral.reshaped(transform.shape);
  } else if (is_single_axis(transform) && keeps_all(transform, 0) &&
             (open.physical || open.spectral) && ends.physical.has_grid() &&
             (open.spectral || ends.spectral.has_grid()) && ends.physical.has_ranges() &&
             ends.spectral.has_ranges() && ends.physical.positions() > 1) {
    open_single_axis(request, open, ends);
  }
}

std::optional<SplitRequest> split_axes(const RouteRequest& request, const Ends& ends) {
  const Splitter splitter(request, ends);
  if (!splitter.is_needed()) return {};
  return splitter.made();
}

void join_steps(const std::vector<SplitAxis>& axes, std::vector<Stage>& stages) {
  for (const SplitAxis& axis : axes)
    for (Stage& stage : stages)
      for (Step& step : stage.steps) {
        if (step.axis != axis.first) continue;
        if (axis.is_split()) step.twiddle = {axis.second, axis.length()};
        const Index count = step.length / axis.classes;
        if (axis.classes == 1 || count == 1) continue;  // in the order of k
        step.modes.runs.clear();
        for (Index run = 0; run < axis.classes; ++run)
          step.modes.runs.push_back({run, run * count, count, axis.classes});
      }
}

void undo_deals(Stage& fused) {
  const auto undo = [](Step& step) {
    if (step.modes.is_dealt()) step.modes.runs = {{0, 0, step.modes.line}};
  };
  undo(fused.steps.back());
  undo(fused.inverse.front());
}

WavenumberTable wavenumber_table(const Transform& transform, const std::vector<SplitAxis>& axes,
                                 int fused_axis) {
  PerAxis<std::vector<double>> along = kept_wavenumbers(transform);
  WavenumberTable table;
  for (int axis = 0; axis < along.size(); ++axis) {
    if (axes.empty()) {
      table.push_back({axis, -1, 1, std::move(along[axis])});
      continue;
    }
    const SplitAxis& split = axes[static_cast<std::size_t>(axis)];
    JoinedWavenumbers joined{split.first, split.second, split.second_length, {}};
    const bool has_points = transform.kinds[static_cast<std::size_t>(axis)] == Kind::none;
    const Index classes = split.first == fused_axis ? 1 : split.classes;
    const Index count = std::ssize(along[axis]) / split.second_length;
    for (Index place = 0; place < count; ++place)
      for (Index q = 0; q < split.second_length; ++q) {
        const Index k = has_points && split.is_split()
                            ? place * split.second_length + q
                            : index_in_classes(count, classes, place) + count * q;
        joined.values.push_back(along[axis][static_cast<std::size_t>(k)]);
      }
    table.push_back(std::move(joined));
  }
  return table;
}

std::string to_string(const std::vector<SplitAxis>& axes) {
  std::vector<std::string> texts;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    if (const SplitAxis& split = axes[axis]; split.is_split())
      texts.push_back(fmt::format("axis {} of {} as axes {} of {} and {} of {}", axis,
                                  split.length(), split.first, split.first_length, split.second,
                                  split.second_length));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace weft
