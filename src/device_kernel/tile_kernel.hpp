// The sweep as a kernel: load a tile of lines from where one view says, transform them in registers
// and shared memory, store them where another view says, which may be a peer's memory. Written once
// for devices and for the host, in phases: what the threads of a block do between two barriers.
#pragma once

#include "device_kernel/tile_place.hpp"
#include "device_kernel/tile_plan.hpp"
#include "device_kernel/wire_forms.hpp"

namespace weft {

/// One tile. `Plan`: a FixedPlan or a VariablePlan; `Team`: the threads.
///
/// Threads are numbered line by line across the tile, so that 128 bytes at a time are read, written
/// and exchanged. Complex lines in one piece go between memory and the registers of the first or
/// the last stage, unless their elements are neighbours in memory, instead of the lines: these, and
/// all others, are moved through shared memory by a phase of its own.
template <class Real, class Plan, class Team>
class TileKernel {
 public:
  using Value = Number<Real>;

  WEFT_KERNEL TileKernel(const Team& team, const Plan& plan, const TileJob& job, unsigned tile)
      : team_(team),
        plan_(plan),
        job_(job),
        place_(job, tile, plan.value.lines),
        sign_(job.backward ? -1 : 1),
        registers_(team) {}

  WEFT_KERNEL void run() {
    const bool loads = is_plain(place_.patch->from), stores = is_plain(place_.patch->to);
    if (!loads) fill();
    if (plan_.value.convolves()) {
      transform(loads, false, true);
      transform(false, stores, false);
    } else {
      transform(loads, stores, false);
    }
    if (!stores) drain();
  }

 private:
  struct Registers {
    Value x[Plan::held];
  };
  static constexpr int row = 128 / sizeof(Value);  // numbers that shared memory moves at a time
  static constexpr int period = Plan::turn_period(row);

  /// A packed line's last phase makes elements k and numbers - k from the same two numbers.
  WEFT_KERNEL bool pairs_behind() const {
    return plan_.value.kind == TileKind::r2c && plan_.value.is_packed();
  }
  WEFT_KERNEL bool pairs_before() const {
    return plan_.value.kind == TileKind::c2r && plan_.value.is_packed();
  }
  /// Backward transforms are forward ones between conjugates.
  WEFT_KERNEL Value in_direction(Value x) const { return {x.re, x.im * sign_}; }
  WEFT_KERNEL const Value* constants() const { return static_cast<const Value*>(job_.constants); }
  WEFT_KERNEL Value constant(int place) const { return team_.constant(constants() + place); }
  WEFT_KERNEL TileElements source() const {
    return {job_.segments, place_.patch->from, place_, job_.source};
  }
  WEFT_KERNEL TileElements target() const {
    return {job_.segments, place_.patch->to, place_, job_.target};
  }

  /// The place of a number in shared memory. Rows of 128 bytes hold a position of all lines, or a
  /// few of fewer lines. Turning them lets lines as well as positions, neighbours or a radix apart,
  /// lie in different banks. Numbers without a sign, because these are divided by shifting.
  WEFT_KERNEL int slot(int position, int line) const {
    const auto at = static_cast<unsigned>(position), across = static_cast<unsigned>(line);
    const auto lines = static_cast<unsigned>(plan_.value.lines);
    if (lines == row) return static_cast<int>(at * lines + (across ^ (at & (lines - 1))));
    const unsigned per_row = row / lines, number = at / per_row, radix = plan_.value.turned_by();
    unsigned within = at % per_row;
    if (radix % 2 == 0) within ^= at / radix % per_row;
    return static_cast<int>(number * row + within * lines + (across ^ (number & (lines - 1))));
  }
  /// That of the position which is `ahead` of another one: whole periods of the turns away from
  /// one of a few places, which need to be calculated only once.
  WEFT_KERNEL int slot(int position, int ahead, int line) const {
    const int whole = ahead / period * period;
    return slot(position + (ahead - whole), line) + whole * plan_.value.lines;
  }
  WEFT_KERNEL Value get(int position, int line, int ahead = 0) const {
    return team_.template get<Value>(slot(position, ahead, line));
  }
  WEFT_KERNEL void put(int position, int line, Value x, int ahead = 0) const {
    team_.put(slot(position, ahead, line), x);
  }

  // --- between memory and numbers ---

  WEFT_KERNEL Value read(TileElements& from, int position, int line) const {
    if (!from.has(position)) return {0, 0};
    const DeviceAddress address = from.address(position, line);
    if (from.wire() == Wire::exact) return team_.template read<Value>(address);
    return with_complex_form(from.wire(), [&](auto form) -> Value {
      using Form = decltype(form);
      const auto x = Form::decode(team_.template read<typename Form::Stored>(address));
      return {static_cast<Real>(x.re), static_cast<Real>(x.im)};
    });
  }
  WEFT_KERNEL void write(TileElements& to, int position, int line, Value x) const {
    if (!to.has(position)) return;
    const DeviceAddress address = to.address(position, line);
    if (to.wire() == Wire::exact) return team_.write(address, x);
    with_complex_form(to.wire(), [&](auto form) {
      team_.write(address, decltype(form)::encode({x.re, x.im}));
    });
  }
  WEFT_KERNEL Real read_real(TileElements& from, int position, int line) const {
    if (!from.has(position)) return 0;
    const DeviceAddress address = from.address(position, line);
    if (from.wire() == Wire::exact) return team_.template read<Real>(address);
    return with_real_form(from.wire(), [&](auto form) {
      using Form = decltype(form);
      return static_cast<Real>(Form::decode(team_.template read<typename Form::Stored>(address)));
    });
  }
  WEFT_KERNEL void write_real(TileElements& to, int position, int line, Real x) const {
    if (!to.has(position)) return;
    const DeviceAddress address = to.address(position, line);
    if (to.wire() == Wire::exact) return team_.write(address, x);
    with_real_form(to.wire(), [&](auto form) { team_.write(address, decltype(form)::encode(x)); });
  }
  /// Whether two elements of a line are next to each other, and may be moved as one number.
  WEFT_KERNEL bool is_pair(TileElements& side, int position, int line) const {
    return side.wire() == Wire::exact && side.has_pair(position) && side.along() == sizeof(Real) &&
           side.address(position, line) % sizeof(Value) == 0;
  }
  WEFT_KERNEL Value read_pair(TileElements& from, int position, int line) const {
    if (is_pair(from, position, line))
      return team_.template read<Value>(from.address(position, line));
    return {read_real(from, position, line), read_real(from, position + 1, line)};
  }
  WEFT_KERNEL void write_pair(TileElements& to, int position, int line, Value x) const {
    if (is_pair(to, position, line)) return team_.write(to.address(position, line), x);
    write_real(to, position, line, x.re);
    write_real(to, position + 1, line, x.im);
  }

  // --- modes ---

  /// Whether an ellipse leaves out what one side has at a position.
  WEFT_KERNEL bool is_cut(const TileModes& modes, int position, int line) const {
    return modes.ellipse &&
           team_.constant(job_.squares + modes.squares + position) >
               team_.constant(job_.squares + modes.allowed + place_.line_number(line));
  }
  /// A mode of the line, which may be a part of what is kept for two.
  WEFT_KERNEL Value read_mode(TileElements& from, int position, int line) const {
    if (from.modes_are_plain()) return read(from, position, line);
    const TileModes& modes = place_.patch->from.modes;
    const bool is_part =
        modes.nyquist != Nyquist::plain && (position == modes.kept || position == modes.implied);
    const int kept = is_part ? modes.kept : position;
    if (is_cut(modes, kept, line)) return {0, 0};
    const Value x = read(from, kept, line);
    if (!is_part) return x;
    if (modes.nyquist != Nyquist::packed) return scaled(x, static_cast<Real>(0.5));
    return {position == modes.kept ? x.re : x.im, 0};
  }
  /// Calls implied() for the other mode that this one stands for, if it does.
  template <class Implied>
  WEFT_KERNEL void write_mode(TileElements& to, int position, int line, Value y,
                              Implied&& implied) const {
    if (to.modes_are_plain()) return write(to, position, line, y);
    const TileModes& modes = place_.patch->to.modes;
    if (position == modes.kept) {
      if (modes.nyquist == Nyquist::split) y = y + implied();
      if (modes.nyquist == Nyquist::doubled) y = {2 * y.re, 0};
      if (modes.nyquist == Nyquist::packed) y = {y.re, implied().re};
    }
    if (is_cut(modes, position, line)) y = {0, 0};
    write(to, position, line, y);
  }

  /// The number at a position of the complex transform's line, which pairs_before() makes
  /// otherwise.
  WEFT_KERNEL Value fetch(TileElements& from, int position, int line) const {
    const int length = plan_.value.length;
    switch (plan_.value.kind) {
      case TileKind::copy_real:
        return {read_real(from, position, line), 0};
      case TileKind::r2c:
        return plan_.value.is_packed() ? read_pair(from, 2 * position, line)
                                       : Value{read_real(from, position, line), 0};
      case TileKind::c2r: {
        const bool is_stored = position <= length / 2;
        const Value x = read_mode(from, is_stored ? position : length - position, line);
        if (position == 0) return {x.re, 0};
        return is_stored ? conjugate(x) : x;
      }
      default:
        return in_direction(read_mode(from, position, line));
    }
  }
  WEFT_KERNEL void save(TileElements& to, int position, int line) const {
    const Value y = get(position, line);
    const auto implied = [&] { return in_direction(get(place_.patch->to.modes.implied, line)); };
    switch (plan_.value.kind) {
      case TileKind::copy_real:
        return write_real(to, position, line, y.re);
      case TileKind::r2c:
        if (position <= plan_.value.length / 2) write_mode(to, position, line, y, implied);
        return;
      case TileKind::c2r:
        return plan_.value.is_packed() ? write_pair(to, 2 * position, line, conjugate(y))
                                       : write_real(to, position, line, y.re);
      default:
        return write_mode(to, position, line, in_direction(y), implied);
    }
  }

  /// What the stages transform: the line itself, or its product with the chirp, followed by zeros.
  WEFT_KERNEL Value prepared(Value x, int position) const {
    return plan_.value.convolves() ? x * constant(plan_.value.chirp() + position) : x;
  }
  /// What the stages have transformed, as a number of the line. That of a convolution is backward.
  WEFT_KERNEL Value finished(Value y, int position) const {
    if (plan_.value.convolves()) y = conjugate(y) * constant(plan_.value.chirp() + position);
    return scaled(y, static_cast<Real>(job_.factor));
  }

  // --- phases between memory and shared memory ---

  /// Calls body(position, line) for the first positions of all lines, as is best for memory.
  template <class Body>
  WEFT_KERNEL void spread(int thread, bool along, int positions, Body&& body) const {
    const int lines = along ? place_.lines : plan_.value.lines;
    for (int i = thread; i < positions * lines; i += plan_.value.threads()) {
      const int line = along ? i / positions : i % lines;
      const int position = along ? i % positions : i / lines;
      if (line < place_.lines) body(position, line);
    }
  }
  WEFT_KERNEL int positions() const {
    return plan_.value.is_copy() ? place_.patch->length : plan_.value.numbers;
  }

  WEFT_KERNEL void fill() const {
    team_.each([&](int thread) {
      const bool along = place_.patch->from.along_lines;
      TileElements from = source();
      if (pairs_before()) {
        spread(thread, along, plan_.value.numbers / 2 + 1,
               [&](int position, int line) { fill_pair(from, position, line); });
      } else {
        spread(thread, along, positions(), [&](int position, int line) {
          const Value x = prepared(fetch(from, position, line), position);
          put(position, line, plan_.value.stages > 0 ? x : finished(x, position));
        });
      }
      if (!plan_.value.convolves()) return;
      const int rest = plan_.value.transformed - plan_.value.numbers;
      spread(thread, along, rest, [&](int position, int line) {
        put(plan_.value.numbers + position, line, {0, 0});
      });
    });
  }
  WEFT_KERNEL void drain() const {
    team_.each([&](int thread) {
      const bool along = place_.patch->to.along_lines;
      TileElements to = target();
      if (pairs_behind())
        return spread(thread, along, plan_.value.numbers / 2 + 1,
                      [&](int position, int line) { drain_pair(to, position, line); });
      spread(thread, along, positions(), [&](int position, int line) { save(to, position, line); });
    });
  }

  /// From elements k and n - k of the spectrum of a real line of 2 n elements: numbers k and n - k
  /// of the spectrum of the line of pairs, conjugate, since what follows is backward.
  WEFT_KERNEL void fill_pair(TileElements& from, int k, int line) const {
    const int n = plan_.value.numbers;
    Value first = read_mode(from, k, line), last = read_mode(from, n - k, line);
    if (k == 0) first.im = last.im = 0;  // as they are of a real line
    const Value even = first + conjugate(last);
    const Value odd =
        times_i((first - conjugate(last)) * conjugate(constant(plan_.value.real_twiddles() + k)));
    const Real factor = plan_.value.stages > 0 ? 1 : static_cast<Real>(job_.factor);
    put(k, line, scaled(prepared(conjugate(even + odd), k), factor));
    if (k == 0 || 2 * k == n) return;
    put(n - k, line, prepared(even - odd, n - k));
  }
  /// The same for a forward transform, from the spectrum of the line of pairs.
  WEFT_KERNEL void drain_pair(TileElements& to, int k, int line) const {
    const int n = plan_.value.numbers;
    const auto half = static_cast<Real>(0.5);
    const Value first = get(k, line), last = conjugate(get(k == 0 ? 0 : n - k, line));
    const Value even = scaled(first + last, half);
    const Value odd =
        minus_i(scaled(first - last, half)) * constant(plan_.value.real_twiddles() + k);
    const Value low = even + odd, high = conjugate(even - odd);
    write_mode(to, k, line, low, [&] { return high; });
    if (2 * k != n) write_mode(to, n - k, line, high, [&] { return low; });
  }

  // --- stages ---

  /// All stages. Of a convolution, the first transform ends with the product of the spectra.
  WEFT_KERNEL void transform(bool loads, bool stores, bool multiplies) {
    plan_.for_each_stage([&](auto stage) {
      team_.each([&](int thread) { compute(stage, thread, loads && stage.is_first); });
      team_.each([&](int thread) {
        if (stage.is_last && stores)
          store(stage, thread);
        else
          keep(stage, thread, stage.is_last, multiplies);
      });
    });
  }

  /// Calls body(u, butterfly, line) for the butterflies of a thread.
  template <class Stage, class Body>
  WEFT_KERNEL void for_each_butterfly(const Stage& stage, int thread, Body&& body) const {
    const int line = thread % plan_.value.lines;
    if (line >= place_.lines) return;
    WEFT_UNROLL
    for (int u = 0; u < stage.share; ++u) {
      const int butterfly = thread / plan_.value.lines + u * plan_.value.line_threads;
      if (butterfly < stage.butterflies) body(u, butterfly, line);
    }
  }

  /// The numbers of all butterflies first, so that all are on their way before one is waited for.
  template <class Stage>
  WEFT_KERNEL void compute(const Stage& stage, int thread, bool loads) {
    Value* const x = registers_[thread].x;
    if (loads)
      load(stage, thread);
    else
      for_each_butterfly(stage, thread, [&](int u, int butterfly, int line) {
        WEFT_UNROLL
        for (int i = 0; i < stage.radix; ++i)
          x[u * stage.radix + i] = get(butterfly, line, i * stage.butterflies);
      });
    for_each_butterfly(stage, thread, [&](int u, int butterfly, int) {
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
  template <class Stage>
  WEFT_KERNEL void load(const Stage& stage, int thread) {
    Value* const x = registers_[thread].x;
    const TileElements from = source();
    const Index step = stage.butterflies * from.along();
    for_each_butterfly(stage, thread, [&](int u, int butterfly, int line) {
      const DeviceAddress first = from.address(butterfly, line);
      WEFT_UNROLL
      for (int i = 0; i < stage.radix; ++i)
        x[u * stage.radix + i] =
            in_direction(team_.template read<Value>(first + static_cast<DeviceAddress>(i * step)));
    });
  }
  template <class Stage>
  WEFT_KERNEL void store(const Stage& stage, int thread) {
    const Value* const x = registers_[thread].x;
    const TileElements to = target();
    const Index step = stage.before * to.along();
    const auto factor = static_cast<Real>(job_.factor);
    for_each_butterfly(stage, thread, [&](int u, int butterfly, int line) {
      // In the last stage there is one butterfly for each number of those before it.
      const DeviceAddress first = to.address(butterfly, line);
      WEFT_UNROLL
      for (int i = 0; i < stage.radix; ++i) {
        const Value y = x[u * stage.radix + i];
        team_.write(first + static_cast<DeviceAddress>(i * step),
                    Value{y.re * factor, y.im * (factor * sign_)});
      }
    });
  }
  template <class Stage>
  WEFT_KERNEL void keep(const Stage& stage, int thread, bool is_last, bool multiplies) {
    const Value* const x = registers_[thread].x;
    for_each_butterfly(stage, thread, [&](int u, int butterfly, int line) {
      const int k = butterfly % stage.before, first = (butterfly - k) * stage.radix + k;
      WEFT_UNROLL
      for (int i = 0; i < stage.radix; ++i) {
        const int position = first + i * stage.before;
        Value y = x[u * stage.radix + i];
        if (is_last && multiplies)
          y = conjugate(y * constant(plan_.value.chirp_spectrum() + position));
        else if (is_last && position < plan_.value.numbers)
          y = finished(y, position);
        put(first, line, y, i * stage.before);
      }
    });
  }

  WEFT_KERNEL bool is_plain(const TileSide& side) const {
    if constexpr (Plan::is_plain) return true;
    return plan_.value.takes_plain_sides() && side.is_plain();
  }

  const Team& team_;
  const Plan& plan_;
  const TileJob& job_;
  const TilePlace place_;
  const Real sign_;  // of imaginary parts
  typename Team::template PerThread<Registers> registers_;
};

}  // namespace weft
