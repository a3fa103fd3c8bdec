// The stages of an FFT on a tile, the source of the first stage, and the target of the last one.
// Compiled once for each instruction set.
//
// A tile has a slot per element of the lines. A slot holds, for each group of W lines, W real parts
// and W imaginary parts. The first stage can read from memory, and the last one write to memory,
// which saves copying lines in and out of the tile.
#if defined(WEFT_KERNEL_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_TILE_INL
#undef WEFT_KERNEL_TILE_INL
#else
#define WEFT_KERNEL_TILE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernel/butterflies-inl.hpp"
#include "kernel/lane_plan.hpp"
#include "kernel/numbers-inl.hpp"
#include "machine/cache_line.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// x times a root of unity.
template <class Real>
HWY_INLINE Split<Real> times(Split<Real> x, Root root) {
  return times(x, static_cast<Real>(root.cosine), static_cast<Real>(root.sine));
}
/// x times its conjugate.
template <class Real>
HWY_INLINE Split<Real> times_conjugate(Split<Real> x, Root root) {
  return times(x, Root{root.cosine, -root.sine});
}

/// Half of the smallest first-level caches.
inline constexpr Index cached_bytes = 16 * 1024;

/// A tile of `groups` times W lines.
template <class Real>
struct Tile {
  Real* data;
  Index groups;
  Index pitch;  ///< reals from slot to slot

  Real* at(Index slot, Index group) const {
    return data + slot * pitch + group * 2 * lanes_of<Real>();
  }
  Split<Real> load(Index slot, Index group) const { return load_slot<Real>(at(slot, group)); }
  void store(Index slot, Index group, Split<Real> x) const { store_slot(x, at(slot, group)); }
};

/// Reals from slot to slot: one cache line more than the groups need, so that the slots of a
/// butterfly do not all fall into one set of the cache.
template <class Real>
constexpr Index tile_pitch(Index groups) {
  const Index reals = groups * 2 * lanes_of<Real>();
  return groups == 1 ? reals : reals + line_bytes / static_cast<Index>(sizeof(Real));
}

/// The source of the first stage: complex numbers of neighbouring lines, with element j of the
/// first line at rows[j].
template <class Real>
struct ColumnSource {
  const std::byte* const* rows;
  Index rest;  ///< lines of a partial last group; 0: all groups are full
  static constexpr bool has_partial_groups = true;

  const Real* place(Index element) const { return reinterpret_cast<const Real*>(rows[element]); }
  /// From group to group.
  Index step() const { return 2 * lanes_of<Real>(); }
  static HWY_INLINE Split<Real> load(const Real* place) { return load_row(place); }
};

/// The target of the last stage.
template <class Real, bool Streamed>
struct ColumnTarget {
  std::byte* const* rows;
  Index rest;
  Real factor;

  Real* place(Index element) const { return reinterpret_cast<Real*>(rows[element]); }
  static HWY_INLINE void store(Split<Real> x, Real* place) { store_row<Real, Streamed>(x, place); }
};

/// The constants of one stage: its twiddles, and for odd radices its circle.
template <class Real>
struct StageConstants {
  std::vector<Real> twiddles;
  std::vector<Real> circle;
};

template <class Real>
std::vector<StageConstants<Real>> stage_constants(const LanePlan& plan) {
  std::vector<StageConstants<Real>> all;
  for (const RadixStage& stage : plan.stages) {
    StageConstants<Real> constants{twiddles<Real>(stage), {}};
    for (Index k = 0; k < stage.radix; ++k) {
      const Root root = root_of_unity(k, stage.radix);
      constants.circle.push_back(static_cast<Real>(root.cosine));
      constants.circle.push_back(static_cast<Real>(-root.sine));
    }
    all.push_back(std::move(constants));
  }
  return all;
}

/// One butterfly: load(a), DFT, twiddles if there are any, store(q).
template <int Radix, bool Turns, class Real, class Load, class Store>
HWY_INLINE void butterfly(const Real* twiddles, const Real* circle, const Load& load,
                          const Store& store) {
  Split<Real> x[Radix];
#pragma GCC unroll 16
  for (int a = 0; a < Radix; ++a) x[a] = load(a);
  Butterfly<Radix>::run(x, circle);
  store(0, x[0]);
#pragma GCC unroll 16
  for (int q = 1; q < Radix; ++q) {
    if constexpr (Turns) x[q] = times(x[q], twiddles[2 * q - 2], twiddles[2 * q - 1]);
    store(q, x[q]);
  }
}

/// The elements that are prefetched into the second-level cache while a stage computes. They belong
/// to neighbouring lines, `offset` bytes beyond the rows. Without rows, nothing is prefetched.
struct Ahead {
  const std::byte* const* rows = nullptr;
  Index offset = 0;

  template <class Real>
  HWY_INLINE void fetch(Index element, Index group) const {
    constexpr Index slot_bytes = 2 * lanes_of<Real>() * static_cast<Index>(sizeof(Real));
    const std::byte* const first = rows[element] + offset + group * slot_bytes;
    for (Index line = 0; line < slot_bytes; line += line_bytes)
      __builtin_prefetch(first + line, 0, 2);
  }
};

// In the stages, addresses are computed outside of the loop over groups, or by one addition each. A
// multiplication for each element would take longer than the butterflies.

/// The first stage, from `source` into the tile. If it is the only one, it has no twiddles
/// (`Turns`).
template <int Radix, bool Turns, class Real, class Source>
HWY_NOINLINE void run_first(const RadixStage& stage, const StageConstants<Real>& constants,
                            const Source source, const Tile<Real> tile, const Ahead ahead) {
  const Index span = stage.span, distance = span * tile.pitch;
  const Real* const circle = constants.circle.data();
  const Index whole = tile.groups - (source.rest > 0 ? 1 : 0);
  const FirstOfRow<Real> rest(source.rest);
  for (Index b = 0; b < span; ++b) {
    const Real* const turns = constants.twiddles.data() + b * 2 * (Radix - 1);
    const Real* from[Radix];
    for (int a = 0; a < Radix; ++a) from[a] = source.place(b + a * span);
    Real* to = nullptr;
    const auto store = [&](int, Split<Real> x) HWY_ATTR {
      store_slot(x, to);
      to += distance;
    };
    Real* first = tile.at(b, 0);
    Index offset = 0;
    for (Index group = 0; group < whole; ++group) {
      for (Index a = 0; ahead.rows != nullptr && a < Radix; ++a)
        ahead.fetch<Real>(b + a * span, group);
      to = first;
      butterfly<Radix, Turns>(
          turns, circle, [&](int a) HWY_ATTR { return source.load(from[a] + offset); }, store);
      offset += source.step();
      first += 2 * lanes_of<Real>();
    }
    if constexpr (Source::has_partial_groups) {
      if (source.rest == 0) continue;
      to = first;
      butterfly<Radix, Turns>(
          turns, circle, [&](int a) HWY_ATTR { return rest.load(from[a] + offset); }, store);
    }
  }
}

/// Some blocks of a stage.
struct Blocks {
  Index begin;
  Index end;
};

/// Any stage but a fused one, in place in the tile.
template <int Radix, bool Turns, class Real>
HWY_NOINLINE void run_inside(const RadixStage& stage, const StageConstants<Real>& constants,
                             const Blocks blocks, const Tile<Real> tile, const Ahead ahead) {
  const Index span = stage.span, distance = span * tile.pitch;
  const Real* const circle = constants.circle.data();
  for (Index block = blocks.begin; block < blocks.end; ++block)
    for (Index b = 0; b < span; ++b) {
      const Real* const turns = constants.twiddles.data() + b * 2 * (Radix - 1);
      Real* first = tile.at(block * Radix * span + b, 0);
      for (Index group = 0; group < tile.groups; ++group) {
        for (Index a = 0; ahead.rows != nullptr && a < Radix; ++a)
          ahead.fetch<Real>(block * Radix * span + b + a * span, group);
        const Real* from = first;
        Real* to = first;
        butterfly<Radix, Turns>(
            turns, circle,
            [&](int) HWY_ATTR {
              const Split<Real> x = load_slot(from);
              from += distance;
              return x;
            },
            [&](int, Split<Real> x) HWY_ATTR {
              store_slot(x, to);
              to += distance;
            });
        first += 2 * lanes_of<Real>();
      }
    }
}

/// The last stage, from the tile to `target`. `outputs`: the first output of each block; the
/// further outputs of a block are stage.blocks apart.
template <int Radix, class Real, class Target>
HWY_NOINLINE void run_last(const RadixStage& stage, const StageConstants<Real>& constants,
                           const std::vector<Index>& outputs, const Blocks blocks,
                           const Tile<Real> tile, const Target target, const Ahead ahead) {
  const Real* const circle = constants.circle.data();
  const auto factor = broadcast(target.factor);
  const Index whole = tile.groups - (target.rest > 0 ? 1 : 0);
  const FirstOfRow<Real> rest(target.rest);
  for (Index block = blocks.begin; block < blocks.end; ++block) {
    const Index output = outputs[static_cast<std::size_t>(block)];
    Real* to[Radix];
    for (int q = 0; q < Radix; ++q) to[q] = target.place(output + q * stage.blocks);
    const Real* from = nullptr;
    const auto load = [&](int) HWY_ATTR {
      const Split<Real> x = load_slot(from);
      from += tile.pitch;
      return x;
    };
    const auto run = [&](const auto& store) HWY_ATTR {
      butterfly<Radix, false>(static_cast<const Real*>(nullptr), circle, load,
                              [&](int q, Split<Real> x) HWY_ATTR {
                                store({hn::Mul(factor, x.re), hn::Mul(factor, x.im)}, to[q]);
                              });
    };
    const Real* first = tile.at(block * Radix, 0);
    Index offset = 0;
    for (Index group = 0; group < whole; ++group) {
      for (Index a = 0; ahead.rows != nullptr && a < Radix; ++a)
        ahead.fetch<Real>(block * Radix + a, group);
      from = first;
      run([&](Split<Real> x, Real* place) HWY_ATTR { target.store(x, place + offset); });
      offset += 2 * lanes_of<Real>();
      first += 2 * lanes_of<Real>();
    }
    if (target.rest == 0) continue;
    from = first;
    run([&](Split<Real> x, Real* place) HWY_ATTR { rest.store(x, place + offset); });
  }
}

/// Calls work(radix) with the radix as a constant.
template <class Work>
void with_radix(int radix, const Work& work) {
  switch (radix) {
    case 2:
      return work(std::integral_constant<int, 2>());
    case 3:
      return work(std::integral_constant<int, 3>());
    case 4:
      return work(std::integral_constant<int, 4>());
    case 5:
      return work(std::integral_constant<int, 5>());
    case 7:
      return work(std::integral_constant<int, 7>());
    case 8:
      return work(std::integral_constant<int, 8>());
    case 11:
      return work(std::integral_constant<int, 11>());
    case 13:
      return work(std::integral_constant<int, 13>());
    default:
      return work(std::integral_constant<int, 16>());
  }
}

/// Radix 16 needs 32 registers; processors have them if their vectors are as long as a cache line.
template <class Real>
constexpr int largest_radix() {
  return lanes_of<Real>() * sizeof(Real) == line_bytes ? 16 : 8;
}

/// An FFT of smooth length on tiles.
template <class Real>
class SmoothFft {
 public:
  explicit SmoothFft(Index length)
      : plan_(make_lane_plan(length, largest_radix<Real>())),
        constants_(stage_constants<Real>(plan_)) {
    if (plan_.stages.empty()) return;
    const Index blocks = plan_.stages.back().blocks;
    outputs_.resize(static_cast<std::size_t>(blocks));
    for (Index k = 0; k < blocks; ++k)
      outputs_[static_cast<std::size_t>(slot(k) / plan_.stages.back().radix)] = k;
  }

  Index length() const { return plan_.length; }
  /// Where `run` leaves output k.
  Index slot(Index k) const { return plan_.slot_of[static_cast<std::size_t>(k)]; }
  /// Whether the first and the last stage differ.
  bool has_two_stages() const { return plan_.stages.size() > 1; }

  template <class Source>
  void first(const Source& source, const Tile<Real>& tile, const Ahead& ahead = {}) const {
    with_radix(plan_.stages.front().radix, [&](auto radix) {
      run_first<radix, true>(plan_.stages.front(), constants_.front(), source, tile, ahead);
    });
  }
  /// The same, if there is no other stage.
  template <class Source>
  void only(const Source& source, const Tile<Real>& tile) const {
    with_radix(plan_.stages.front().radix, [&](auto radix) {
      run_first<radix, false>(plan_.stages.front(), constants_.front(), source, tile, Ahead());
    });
  }
  /// The stages after the first, the last one to `target`.
  template <class Target>
  void finish(const Tile<Real>& tile, const Target& target, const Ahead& ahead) const {
    run_from(1, {0, plan_.stages[1].blocks}, tile, [&](std::size_t s, Blocks blocks) {
      with_radix(plan_.stages[s].radix, [&](auto radix) {
        run_last<radix>(plan_.stages[s], constants_[s], outputs_, blocks, tile, target, ahead);
      });
    });
  }
  /// The same in place.
  void finish_inside(const Tile<Real>& tile, const Ahead& ahead = {}) const {
    run_inside_from(1, tile, ahead);
  }
  /// The first stage in place, if there are others.
  void first_inside(const Tile<Real>& tile) const { inside<true>(0, {0, 1}, tile); }
  /// All stages in place: from elements in their order to output k in slot(k).
  void run(const Tile<Real>& tile) const {
    if (!plan_.stages.empty()) run_inside_from(0, tile);
  }

 private:
  /// Stage `s` and those after it on some blocks of stage `s`. Blocks that do not fit the
  /// first-level cache together go through all these stages one after the other (Frigo et al.,
  /// "Cache-oblivious algorithms", 1999).
  template <class Last>
  void run_from(std::size_t s, Blocks blocks, const Tile<Real>& tile, const Last& last) const {
    const RadixStage& stage = plan_.stages[s];
    if (s + 1 == plan_.stages.size()) return last(s, blocks);
    const Index block_bytes =
        stage.radix * stage.span * tile.pitch * static_cast<Index>(sizeof(Real));
    const Index together = std::max<Index>(1, cached_bytes / block_bytes);
    for (Index begin = blocks.begin; begin < blocks.end; begin += together) {
      const Blocks some{begin, std::min(begin + together, blocks.end)};
      inside<true>(s, some, tile);
      run_from(s + 1, {some.begin * stage.radix, some.end * stage.radix}, tile, last);
    }
  }
  void run_inside_from(std::size_t first, const Tile<Real>& tile, const Ahead& ahead = {}) const {
    run_from(first, {0, plan_.stages[first].blocks}, tile,
             [&](std::size_t s, Blocks blocks) { inside<false>(s, blocks, tile, ahead); });
  }
  template <bool Turns>
  void inside(std::size_t s, Blocks blocks, const Tile<Real>& tile, const Ahead& ahead = {}) const {
    with_radix(plan_.stages[s].radix, [&](auto radix) {
      run_inside<radix, Turns>(plan_.stages[s], constants_[s], blocks, tile, ahead);
    });
  }

  LanePlan plan_;
  std::vector<StageConstants<Real>> constants_;
  std::vector<Index> outputs_;  // see run_last
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
