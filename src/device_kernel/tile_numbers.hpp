// The numbers of a tile: their places in shared memory, and reads and writes of all forms that
// elements have in memory.
#pragma once

#include "device_kernel/tile_place.hpp"
#include "device_kernel/tile_plan.hpp"
#include "device_kernel/wire_forms.hpp"

namespace weft {

/// The plan, job and place that the threads of a tile share. `Plan`: a FixedPlan or a VariablePlan;
/// `Team`: the threads.
template <class Real, class Plan, class Team>
class TileNumbers {
 public:
  using Value = Number<Real>;

  WEFT_KERNEL TileNumbers(const Team& team, const Plan& plan, const TileJob& job, unsigned tile)
      : team_(team),
        plan_(plan),
        job_(job),
        place_(job, tile, plan.value.lines),
        sign_(job.backward ? -1 : 1) {}

 protected:
  static constexpr int row = 128 / sizeof(Value);  // numbers that shared memory moves at a time
  static constexpr int period = Plan::period(row);

  /// The first work of a thread.
  struct Begin {
    int line;
    int number;  ///< of the first butterfly or element, among the threads of a line
  };
  /// Threads are numbered so that neighbouring threads move neighbouring elements of memory.
  WEFT_KERNEL Begin begin_of(int thread, bool along) const {
    const int lines = plan_.value.lines, line_threads = plan_.value.line_threads;
    if (along) return {thread / line_threads, thread % line_threads};
    return {thread % lines, thread / lines};
  }

  /// A backward transform is a forward one between two conjugations.
  WEFT_KERNEL Value in_direction(Value x) const { return {x.re, x.im * sign_}; }
  WEFT_KERNEL const Value* constants() const { return static_cast<const Value*>(job_.constants); }
  WEFT_KERNEL Value constant(int place) const { return team_.constant(constants() + place); }
  WEFT_KERNEL TileElements source() const {
    return {job_.segments, place_.patch->from, place_, job_.source};
  }
  WEFT_KERNEL TileElements target() const {
    return {job_.segments, place_.patch->to, place_, job_.target};
  }

  /// The place of a number in shared memory. Rows of 128 bytes hold one position of all lines, or a
  /// few positions of fewer lines. Turned rows put lines into different banks, and also positions
  /// that are neighbours or a radix apart: the first stage writes positions a radix apart if it has
  /// read along lines. Shifts divide numbers without a sign.
  WEFT_KERNEL int slot(int position, int line) const {
    const auto at = static_cast<unsigned>(position), across = static_cast<unsigned>(line);
    const auto lines = static_cast<unsigned>(plan_.value.lines);
    const bool along = plan_.variant.from == TileAccess::along;
    if (lines == row && !along) return static_cast<int>(at * lines + (across ^ (at & (lines - 1))));
    const unsigned per_row = row / lines, number = at / per_row, radix = plan_.value.turned_by();
    const unsigned turn = radix % 2 == 0 ? at / radix : 0;
    const unsigned within = (at % per_row) ^ (turn % per_row);
    const unsigned turned = along ? number ^ turn / per_row : number;
    return static_cast<int>(number * row + within * lines + (across ^ (turned & (lines - 1))));
  }
  /// The place of a position that is `ahead` of another one. It is whole periods of the turns away
  /// from one of a few places, which are calculated only once.
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

  // --- elements ---

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

  /// Whether the ellipse drops the mode at a position of one side.
  WEFT_KERNEL bool is_cut(const TileModes& modes, int position, int line) const {
    return modes.ellipse &&
           team_.constant(job_.squares + modes.squares + position) >
               team_.constant(job_.squares + modes.allowed + place_.line_number(line));
  }
  /// The place of a mode among those that are kept of a line.
  WEFT_KERNEL int place_of_mode(const TileModes& modes, int position) const {
    if (modes.classes == 1) return position;
    const int count = plan_.value.length / modes.classes;
    return position % modes.classes * count + position / modes.classes;
  }
  WEFT_KERNEL Value factor_of_mode(Index rows, int row, int position) const {
    const double* const factor =
        job_.squares + rows + 2 * (static_cast<Index>(row) * plan_.value.length + position);
    return {static_cast<Real>(team_.constant(factor)),
            static_cast<Real>(team_.constant(factor + 1))};
  }
  /// A mode times its twiddle.
  WEFT_KERNEL Value turned(const TileModes& modes, Value x, int position, int line) const {
    if (!modes.twiddle) return x;
    const int row =
        static_cast<int>(team_.constant(job_.squares + modes.rows + place_.line_number(line)));
    x = x * factor_of_mode(modes.coarse, row / modes.fine_rows, position);
    const int rest = row % modes.fine_rows;
    return rest > 0 ? x * factor_of_mode(modes.fine, rest, position) : x;
  }
  /// A mode of the line; an element that is kept for two modes holds it in part.
  WEFT_KERNEL Value read_mode(TileElements& from, int position, int line) const {
    if (from.modes_are_plain()) return read(from, position, line);
    const TileModes& modes = place_.patch->from.modes;
    const bool is_part =
        modes.nyquist != Nyquist::plain && (position == modes.kept || position == modes.implied);
    const int kept = is_part ? modes.kept : position;
    if (is_cut(modes, kept, line)) return {0, 0};
    const Value x = read(from, place_of_mode(modes, kept), line);
    if (!is_part) return turned(modes, x, position, line);
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
    write(to, place_of_mode(modes, position), line, turned(modes, y, position, line));
  }

  const Team& team_;
  const Plan& plan_;
  const TileJob& job_;
  const TilePlace place_;
  const Real sign_;  // of imaginary parts
};

}  // namespace weft
