// The sweep as a kernel: loads a tile of lines from one view, transforms them in registers and
// shared memory, and stores them to another view, perhaps in a peer's memory. Written once for
// devices and for the host, in phases: the work of a block's threads between two barriers.
#pragma once

#include "device_kernel/tile_ends.hpp"

namespace weft {

/// One tile. Numbers of lines in one piece go between memory and the registers of the first or the
/// last stage, 128 bytes and more at a time: along lines where their elements are neighbours and
/// the variant says so, else across them. All others are moved through shared memory by phases of
/// their own, as are the two sides of real lines that are complex.
template <class Real, class Plan, class Team>
class TileKernel : public TileEnds<Real, Plan, Team> {
  using Ends = TileEnds<Real, Plan, Team>;

 public:
  using typename Ends::Value;

  WEFT_KERNEL TileKernel(const Team& team, const Plan& plan, const TileJob& job, unsigned tile)
      : Ends(team, plan, job, tile), registers_(team) {}

  WEFT_KERNEL void run() {
    const TileAccess from = access(plan_.variant.from, place_.patch->from);
    const TileAccess to = access(plan_.variant.to, place_.patch->to);
    const bool loads = from != TileAccess::any && plan_.value.kind != TileKind::c2r;
    const bool stores = to != TileAccess::any && plan_.value.kind != TileKind::r2c;
    if (from == TileAccess::any)
      fill();
    else if (!loads)
      fill_pairs(from == TileAccess::along);
    if (plan_.value.convolves()) {
      transform(TileAccess::any, TileAccess::any, true);
      transform(TileAccess::any, TileAccess::any, false);
    } else {
      transform(loads ? from : TileAccess::any, stores ? to : TileAccess::any, false);
    }
    if (to == TileAccess::any)
      drain();
    else if (!stores)
      drain_pairs(to == TileAccess::along);
  }

 private:
  using Ends::begin_of, Ends::constant, Ends::constants, Ends::drain, Ends::drain_pairs, Ends::fill,
      Ends::fill_pairs, Ends::finished, Ends::get, Ends::in_direction, Ends::job_, Ends::place_,
      Ends::plan_, Ends::put, Ends::sign_, Ends::source, Ends::target, Ends::team_;
  using typename Ends::Begin;

  struct Registers {
    Value x[Plan::held];
  };

  /// Kernels for any lines find out whether these are complex and lie across.
  WEFT_KERNEL TileAccess access(TileAccess known, const TileSide& side) const {
    if (known != TileAccess::any || plan_.value.kind != TileKind::c2c ||
        !plan_.value.reads(TileAccess::across))
      return known;
    return side.access() == TileAccess::across ? TileAccess::across : TileAccess::any;
  }

  /// All stages. The first stage reads numbers from memory and the last one writes them there, or
  /// both use shared memory if the access is `any`. The first transform of a convolution ends with
  /// the product of the spectra.
  WEFT_KERNEL void transform(TileAccess from, TileAccess to, bool multiplies) {
    plan_.for_each_stage([&](auto stage) {
      const bool loads = stage.is_first && from != TileAccess::any;
      const bool stores = stage.is_last && to != TileAccess::any;
      const bool along =
          (loads && from == TileAccess::along) || (stores && to == TileAccess::along);
      // Numbers from memory can be written to shared memory in the same phase, because no thread
      // reads it yet. Kernels for any lines cannot: they decide while they run, and would contain
      // the code of `compute` twice.
      const bool at_once = loads && plan_.variant.from != TileAccess::any;
      if (!at_once) team_.each([&](int thread) { compute(stage, thread, along, loads); });
      team_.each([&](int thread) {
        if (at_once) compute(stage, thread, along, loads);
        if (stores)
          store(stage, thread, along);
        else
          keep(stage, thread, along, multiplies);
      });
    });
  }

  /// Calls body(u, butterfly, line) for the butterflies of a thread.
  template <class Stage, class Body>
  WEFT_KERNEL void for_each_butterfly(const Stage& stage, int thread, bool along,
                                      Body&& body) const {
    const auto [line, first] = begin_of(thread, along);
    if (line >= place_.lines) return;
    WEFT_UNROLL
    for (int u = 0; u < stage.share; ++u) {
      const int butterfly = first + u * plan_.value.line_threads;
      if (butterfly < stage.butterflies) body(u, butterfly, line);
    }
  }

  /// Requests the numbers of all butterflies before it waits for one of them.
  template <class Stage>
  WEFT_KERNEL void compute(const Stage& stage, int thread, bool along, bool loads) {
    Value* const x = registers_[thread].x;
    if (loads)
      load(stage, thread, along);
    else
      for_each_butterfly(stage, thread, along, [&](int u, int butterfly, int line) {
        WEFT_UNROLL
        for (int i = 0; i < stage.radix; ++i)
          x[u * stage.radix + i] = get(butterfly, line, i * stage.butterflies);
      });
    for_each_butterfly(stage, thread, along, [&](int u, int butterfly, int) {
      if (stage.before > 1) {
        const Value* const twiddles =
            constants() + (plan_.value.twiddles(stage.before) + butterfly % stage.before);
        WEFT_UNROLL
        for (int i = 1; i < stage.radix; ++i)
          x[u * stage.radix + i] =
              x[u * stage.radix + i] * team_.constant(twiddles + (i - 1) * stage.before);
      }
      Butterfly<Stage::radix>::run(x + u * stage.radix);
    });
  }

  /// Bytes from a number to the next one of its line.
  WEFT_KERNEL Index step_of(const TileElements& side, bool along) const {
    return along ? static_cast<Index>(sizeof(Value)) : side.along();
  }
  template <class Stage>
  WEFT_KERNEL void load(const Stage& stage, int thread, bool along) {
    const TileElements from = source();
    if (plan_.value.kind != TileKind::r2c || from.begins_at_multiples_of(sizeof(Value)))
      load(stage, thread, along, from,
           [&](DeviceAddress address) { return team_.template read<Value>(address); });
    else
      load(stage, thread, along, from, [&](DeviceAddress address) {
        return Value{team_.template read<Real>(address),
                     team_.template read<Real>(address + sizeof(Real))};
      });
  }
  template <class Stage, class Read>
  WEFT_KERNEL void load(const Stage& stage, int thread, bool along, const TileElements& from,
                        Read&& read) {
    Value* const x = registers_[thread].x;
    const Index step = step_of(from, along);
    for_each_butterfly(stage, thread, along, [&](int u, int butterfly, int line) {
      const DeviceAddress first =
          from.address(0, line) + static_cast<DeviceAddress>(butterfly * step);
      WEFT_UNROLL
      for (int i = 0; i < stage.radix; ++i)
        x[u * stage.radix + i] =
            in_direction(read(first + static_cast<DeviceAddress>(i * (stage.butterflies * step))));
    });
  }
  template <class Stage>
  WEFT_KERNEL void store(const Stage& stage, int thread, bool along) {
    const TileElements to = target();
    if (plan_.value.kind != TileKind::c2r || to.begins_at_multiples_of(sizeof(Value)))
      store(stage, thread, along, to,
            [&](DeviceAddress address, Value y) { team_.write(address, y); });
    else
      store(stage, thread, along, to, [&](DeviceAddress address, Value y) {
        team_.write(address, y.re);
        team_.write(address + sizeof(Real), y.im);
      });
  }
  template <class Stage, class Write>
  WEFT_KERNEL void store(const Stage& stage, int thread, bool along, const TileElements& to,
                         Write&& write) {
    const Value* const x = registers_[thread].x;
    const Index step = step_of(to, along);
    const auto factor = static_cast<Real>(job_.factor);
    const Real sign = plan_.value.kind == TileKind::c2r ? -1 : sign_;  // real lines are backward
    for_each_butterfly(stage, thread, along, [&](int u, int butterfly, int line) {
      // Butterfly b of the last stage makes numbers b, b + stage.before, b + 2 stage.before, ...
      const DeviceAddress first =
          to.address(0, line) + static_cast<DeviceAddress>(butterfly * step);
      WEFT_UNROLL
      for (int i = 0; i < stage.radix; ++i) {
        const Value y = x[u * stage.radix + i];
        write(first + static_cast<DeviceAddress>(i * (stage.before * step)),
              Value{y.re * factor, y.im * (factor * sign)});
      }
    });
  }
  template <class Stage>
  WEFT_KERNEL void keep(const Stage& stage, int thread, bool along, bool multiplies) {
    const Value* const x = registers_[thread].x;
    for_each_butterfly(stage, thread, along, [&](int u, int butterfly, int line) {
      const int k = butterfly % stage.before, first = (butterfly - k) * stage.radix + k;
      WEFT_UNROLL
      for (int i = 0; i < stage.radix; ++i) {
        const int position = first + i * stage.before;
        Value y = x[u * stage.radix + i];
        if (stage.is_last && multiplies)
          y = conjugate(y * constant(plan_.value.chirp_spectrum() + position));
        else if (stage.is_last && position < plan_.value.numbers)
          y = finished(y, position);
        put(first, line, y, i * stage.before);
      }
    });
  }

  typename Team::template PerThread<Registers> registers_;
};

}  // namespace weft
