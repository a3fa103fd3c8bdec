// Moves numbers between memory and shared memory, before and after the stages of a tile, if they
// cannot move directly between memory and registers.
#pragma once

#include "device_kernel/tile_numbers.hpp"

namespace weft {

template <class Real, class Plan, class Team>
class TileEnds : public TileNumbers<Real, Plan, Team> {
  using Numbers = TileNumbers<Real, Plan, Team>;

 public:
  using Numbers::Numbers;
  using typename Numbers::Value;

 protected:
  using Numbers::begin_of, Numbers::constant, Numbers::get, Numbers::in_direction, Numbers::job_,
      Numbers::place_, Numbers::plan_, Numbers::put, Numbers::read_mode, Numbers::read_pair,
      Numbers::read_real, Numbers::source, Numbers::target, Numbers::team_, Numbers::write_mode,
      Numbers::write_pair, Numbers::write_real;
  using typename Numbers::Begin;

  /// A packed line's last phase makes elements k and numbers - k from the same two numbers.
  WEFT_KERNEL bool pairs_behind() const {
    return plan_.value.kind == TileKind::r2c && plan_.value.is_packed();
  }
  WEFT_KERNEL bool pairs_before() const {
    return plan_.value.kind == TileKind::c2r && plan_.value.is_packed();
  }

  /// The number at a position of the complex transform's line, unless pairs_before().
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

  /// The stages transform the line itself, or its product with the chirp, followed by zeros.
  WEFT_KERNEL Value prepared(Value x, int position) const {
    return plan_.value.convolves() ? x * constant(plan_.value.chirp() + position) : x;
  }
  /// A result of the stages as a number of the line. The result of a convolution is backward.
  WEFT_KERNEL Value finished(Value y, int position) const {
    if (plan_.value.convolves()) y = conjugate(y) * constant(plan_.value.chirp() + position);
    return scaled(y, static_cast<Real>(job_.factor));
  }

  // --- phases ---

  /// Calls body(position, line) for the first positions of all lines, in the order that
  /// suits memory.
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

  // --- pairs of a packed line's spectrum ---

  /// Makes numbers k and n - k of the spectrum of the line of pairs, from elements k and n - k of
  /// the spectrum of a real line of 2 n elements. They are conjugate for the backward transform.
  WEFT_KERNEL void put_pair(int k, int line, Value first, Value last) const {
    const int n = plan_.value.numbers;
    if (k == 0) first.im = last.im = 0;  // real lines have no others
    const Value even = first + conjugate(last);
    const Value odd =
        times_i((first - conjugate(last)) * conjugate(constant(plan_.value.real_twiddles() + k)));
    const Real factor = plan_.value.stages > 0 ? 1 : static_cast<Real>(job_.factor);
    put(k, line, scaled(prepared(conjugate(even + odd), k), factor));
    if (k == 0 || 2 * k == n) return;
    put(n - k, line, prepared(even - odd, n - k));
  }
  WEFT_KERNEL void fill_pair(TileElements& from, int k, int line) const {
    put_pair(k, line, read_mode(from, k, line), read_mode(from, plan_.value.numbers - k, line));
  }
  /// If elements lie at equal steps, a thread requests several before it waits for one.
  WEFT_KERNEL void fill_pairs(bool along) const {
    constexpr int batch = 4;
    const int n = plan_.value.numbers, step = plan_.value.line_threads;
    team_.each([&](int thread) {
      const TileElements from = source();
      const auto [line, first] = begin_of(thread, along);
      if (line >= place_.lines) return;
      for (int k = first; k <= n / 2; k += batch * step) {
        Value low[batch] = {}, high[batch] = {};
        WEFT_UNROLL
        for (int b = 0; b < batch; ++b) {
          if (k + b * step > n / 2) continue;
          low[b] = team_.template read<Value>(from.address(k + b * step, line));
          high[b] = team_.template read<Value>(from.address(n - k - b * step, line));
        }
        WEFT_UNROLL
        for (int b = 0; b < batch; ++b)
          if (k + b * step <= n / 2) put_pair(k + b * step, line, low[b], high[b]);
      }
    });
  }

  /// The way back for a forward transform, from the spectrum of the line of pairs.
  struct Pair {
    Value low, high;  ///< elements k and n - k
  };
  WEFT_KERNEL Pair get_pair(int k, int line) const {
    const int n = plan_.value.numbers;
    const auto half = static_cast<Real>(0.5);
    const Value first = get(k, line), last = conjugate(get(k == 0 ? 0 : n - k, line));
    const Value even = scaled(first + last, half);
    const Value odd =
        minus_i(scaled(first - last, half)) * constant(plan_.value.real_twiddles() + k);
    return {even + odd, conjugate(even - odd)};
  }
  WEFT_KERNEL void drain_pair(TileElements& to, int k, int line) const {
    const int n = plan_.value.numbers;
    const Pair pair = get_pair(k, line);
    write_mode(to, k, line, pair.low, [&] { return pair.high; });
    if (2 * k != n) write_mode(to, n - k, line, pair.high, [&] { return pair.low; });
  }
  WEFT_KERNEL void drain_pairs(bool along) const {
    const int n = plan_.value.numbers;
    team_.each([&](int thread) {
      const TileElements to = target();
      const auto [line, first] = begin_of(thread, along);
      if (line >= place_.lines) return;
      for (int k = first; k <= n / 2; k += plan_.value.line_threads) {
        const auto [low, high] = get_pair(k, line);
        team_.write(to.address(k, line), low);
        if (2 * k != n) team_.write(to.address(n - k, line), high);
      }
    });
  }
};

}  // namespace weft
