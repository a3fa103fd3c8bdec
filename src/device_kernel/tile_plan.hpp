// The plan of a kernel for lines of a length: radices, numbers that a thread keeps, lines of a
// tile. A pure function of the length, so that kernels agree that are compiled ahead of time,
// compiled while a plan is made, and run on the host.
#pragma once

#include "device_kernel/butterflies.hpp"
#include "device_kernel/tile_job.hpp"

namespace weft {

/// The transform that a kernel applies to a line.
enum class TileKind { c2c, r2c, c2r, copy, copy_real };

/// The resources that a block of threads may use.
struct TileLimits {
  int shared_bytes = 227 << 10;  ///< compute capability 8.0 has 163 KiB, 9.0 and 10.0 have 227
  int threads = 1024;
  /// For the numbers that threads keep: half of the registers. Addresses and butterflies have the
  /// other half.
  int register_bytes = 128 << 10;
};

inline constexpr int max_radices = 14;
/// The most numbers that a thread keeps.
inline constexpr int max_held = 16;
/// Elements of a line in a tile that is copied; longer lines are cut.
inline constexpr int copied_length = 64;

/// A tile is some lines next to each other. It is transformed in shared memory, by Stockham's
/// algorithm: the stage of radix r makes one transform of r numbers from every r-th part of the
/// line (Stockham 1966; Van Loan, Computational Frameworks for the FFT, 1992, section 1.7).
struct TilePlan {
  TileKind kind = TileKind::c2c;
  int length = 1;       ///< elements of a line; of the real side for r2c and c2r
  int numbers = 1;      ///< of the complex transform: the length, or half of it; see is_packed
  int transformed = 1;  ///< by the stages: these numbers, or a longer line that convolves them
  int stages = 0;
  int radices[max_radices] = {};
  int lines = 0;         ///< of a tile; 0 if no line of this length fits
  int line_threads = 1;  ///< threads that transform one line
  int held = 1;          ///< numbers that a thread keeps

  friend constexpr bool operator==(const TilePlan&, const TilePlan&) = default;

  WEFT_KERNEL constexpr int threads() const { return line_threads * lines; }
  /// Numbers in shared memory for a tile of `tile_lines` lines, padded to whole rows of 128 bytes.
  WEFT_KERNEL constexpr int shared_numbers(int tile_lines, int number_bytes) const {
    const int row = 128 / number_bytes;
    return (transformed * tile_lines + row - 1) / row * row;
  }
  WEFT_KERNEL constexpr int shared_bytes(int number_bytes) const {
    return shared_numbers(lines, number_bytes) * number_bytes;
  }
  /// The distance of the positions that turned rows put into different banks.
  WEFT_KERNEL constexpr int turned_by() const { return stages > 0 ? radices[0] : 1; }
  WEFT_KERNEL constexpr bool is_copy() const {
    return kind == TileKind::copy || kind == TileKind::copy_real;
  }
  /// Two real elements next to each other are one complex number of a transform of half the length
  /// (Cooley, Lewis and Welch 1970). Odd lengths are transformed as complex ones.
  WEFT_KERNEL constexpr bool is_packed() const { return !is_copy() && numbers != length; }
  /// Other lengths are transformed by a convolution (Bluestein 1970), whose length has radices.
  WEFT_KERNEL constexpr bool convolves() const { return transformed != numbers; }
  /// Whether there is a faster way for lines that are known to be read so. Their numbers go from
  /// memory to the registers of the first stage. Numbers that two elements make, which only the
  /// complex sides of real lines have, go to shared memory.
  WEFT_KERNEL constexpr bool reads(TileAccess access) const {
    return takes(access, kind == TileKind::r2c);
  }
  /// The same for lines that are known to be written so, from the last stage.
  WEFT_KERNEL constexpr bool writes(TileAccess access) const {
    return takes(access, kind == TileKind::c2r);
  }
  /// Elements of a line in the source and in the target.
  WEFT_KERNEL constexpr int input_length() const {
    return kind == TileKind::c2r ? length / 2 + 1 : length;
  }
  WEFT_KERNEL constexpr int output_length() const {
    return kind == TileKind::r2c ? length / 2 + 1 : length;
  }

  // The parts of the kernel's table of constants, in their order.
  /// Of the stage that follows radices of the product `before`: exp(-2 pi i j k / (before radix))
  /// at (j - 1) before + k, for 0 < j < radix and k < before.
  WEFT_KERNEL constexpr int twiddles(int before) const { return before - radices[0]; }
  /// Of packed lines: exp(-2 pi i k / length), for k <= numbers / 2.
  WEFT_KERNEL constexpr int real_twiddles() const {
    return stages > 0 ? transformed - radices[0] : 0;
  }
  /// Of convolutions: exp(-pi i k^2 / numbers), for k < numbers.
  WEFT_KERNEL constexpr int chirp() const {
    return real_twiddles() + (is_packed() ? numbers / 2 + 1 : 0);
  }
  /// Of convolutions: the transform of the conjugate of the chirp, around 0, divided by its length.
  WEFT_KERNEL constexpr int chirp_spectrum() const { return chirp() + (convolves() ? numbers : 0); }
  WEFT_KERNEL constexpr int constants() const {
    return chirp_spectrum() + (convolves() ? transformed : 0);
  }

 private:
  /// Two real elements are one number only if they are neighbours. A thread of the only stage has a
  /// whole line, which other threads must read along it.
  WEFT_KERNEL constexpr bool takes(TileAccess access, bool of_reals) const {
    if (access == TileAccess::any) return true;
    if (stages == 0 || convolves() || (kind != TileKind::c2c && !is_packed())) return false;
    return access == TileAccess::along ? stages > 1 : !of_reals;
  }
};

/// A stage of a plan. A thread computes some of its butterflies.
struct TileStage {
  int before = 1;  ///< the product of the radices of earlier stages
  int butterflies = 1;
  int share = 1;  ///< butterflies of a thread
  bool is_first = true;
  bool is_last = true;
};

WEFT_KERNEL constexpr TileStage stage_of(const TilePlan& plan, int number) {
  TileStage stage;
  for (int earlier = 0; earlier < number; ++earlier) stage.before *= plan.radices[earlier];
  stage.butterflies = plan.transformed / plan.radices[number];
  stage.share = (stage.butterflies + plan.line_threads - 1) / plan.line_threads;
  stage.is_first = number == 0;
  stage.is_last = number + 1 == plan.stages;
  return stage;
}

/// The lines of a plan's tile: they fill rows of 128 bytes, which memory moves at full speed. There
/// are fewer if these do not fit, and 0 if none does.
constexpr int lines_of(const TilePlan& plan, int number_bytes, const TileLimits& limits) {
  for (int lines = 128 / number_bytes; lines > 0; lines /= 2) {
    const int threads = plan.line_threads * lines;
    const bool fits =
        plan.shared_numbers(lines, number_bytes) <= limits.shared_bytes / number_bytes &&
        threads <= limits.threads;
    const bool has_registers = threads * plan.held * number_bytes <= limits.register_bytes;
    if (fits && (has_registers || lines == 1)) return lines;
  }
  return 0;
}

/// Finds the radices of a length that take the least time.
struct RadixSearch {
  int length = 1;
  int number_bytes = 16;
  TileLimits limits = {};
  TilePlan best = {};
  int best_cost = 1 << 30;
  int count = 0;
  int chosen[max_radices] = {};

  /// Whether a block leaves no registers for a second block on its multiprocessor, which would
  /// compute while the first one loads and stores. A thread needs twice the registers of its
  /// numbers, and at least 48 of 4 bytes.
  constexpr bool fills_alone(const TilePlan& plan) const {
    const int wanted = 2 * plan.held * number_bytes, bytes = wanted > 192 ? wanted : 192;
    return plan.threads() * bytes > limits.register_bytes;
  }

  /// Keeps the plan whose threads hold up to `held` numbers if it is the cheapest so far. Costs are
  /// in hundredths of a stage.
  constexpr void consider(int held) {
    TilePlan plan = best;
    plan.stages = count;
    plan.line_threads = plan.held = 1;
    for (int i = 0; i < max_radices; ++i) plan.radices[i] = i < count ? chosen[i] : 0;
    for (int i = 0; i < count; ++i) {
      const int butterflies = length / chosen[i], share = held / chosen[i];
      const int threads = (butterflies + share - 1) / share;
      plan.line_threads = threads > plan.line_threads ? threads : plan.line_threads;
    }
    int work = 0;
    for (int i = 0; i < count; ++i) {
      const int numbers = stage_of(plan, i).share * chosen[i];
      plan.held = numbers > plan.held ? numbers : plan.held;
      work += numbers * plan.line_threads;
    }
    plan.lines = lines_of(plan, number_bytes, limits);
    if (plan.lines == 0) return;
    // The barriers of a stage and its way through shared memory cost as much as its work. If
    // threads keep many numbers, there are few threads. They must then save a stage, allow full
    // rows, or leave room for a second block. (Measured: with 16 numbers, 512 in single precision
    // takes 0.82 of the time.)
    int cost = 100 * count + static_cast<int>(Index{100} * work / length);
    if (plan.held > 8) cost += 10 * (plan.held - 8) * number_bytes / 16;
    if (fills_alone(plan)) cost += 100;
    for (int lines = plan.lines; lines * number_bytes < 128; lines *= 2) cost += 100;
    if (cost >= best_cost) return;
    best_cost = cost;
    best = plan;
  }
  /// Tries all radices, in descending order, that make up the rest of the length.
  constexpr void run(int rest, int first) {
    if (rest == 1) {
      for (int held = count > 0 ? chosen[0] : 1; held <= max_held; ++held) consider(held);
      return;
    }
    if (count == max_radices || 200 * (count + 1) >= best_cost) return;
    const ButterflyLengths lengths;
    for (int i = first; i < butterfly_count; ++i) {
      if (rest % lengths.values[i] != 0) continue;
      chosen[count++] = lengths.values[i];
      run(rest / lengths.values[i], i);
      --count;
    }
  }
};

/// Whether a length is a product of radices.
constexpr bool has_radices(int length) {
  for (int factor = 2; factor <= 13; ++factor)
    while (length % factor == 0) length /= factor;
  return length == 1;
}

/// The plan of a length, for reals of `real_bytes` bytes; it has no lines if none fits.
constexpr TilePlan make_tile_plan(TileKind kind, int length, int real_bytes,
                                  const TileLimits& limits = {}) {
  TilePlan plan;
  plan.kind = kind;
  plan.length = plan.numbers = length;
  const bool is_real = kind == TileKind::r2c || kind == TileKind::c2r;
  if (is_real && length % 2 == 0) plan.numbers = length / 2;
  plan.transformed = plan.numbers;
  const int number_bytes = 2 * real_bytes;
  if (plan.numbers > limits.shared_bytes / number_bytes) return plan;
  if (plan.is_copy()) {
    plan.line_threads = 16;
    plan.lines = lines_of(plan, number_bytes, limits);
    return plan;
  }
  if (!has_radices(plan.numbers)) {
    plan.transformed = 2 * plan.numbers - 1;
    while (!has_radices(plan.transformed)) ++plan.transformed;
  }
  RadixSearch search{plan.transformed, number_bytes, limits, plan};
  search.run(plan.transformed, 0);
  return search.best;
}

/// The variant for lines with these accesses; a kernel gains nothing by knowing only one side.
constexpr TileVariant variant_of(const TilePlan& plan, TileAccess from, TileAccess to) {
  const bool knows_both = from != TileAccess::any && to != TileAccess::any;
  return knows_both && plan.reads(from) && plan.writes(to) ? TileVariant{from, to} : TileVariant{};
}

/// The plan for a variant. If lines are contiguous on both sides, tiles of many lines gain
/// nothing, and blocks of few threads overlap better: on a multiprocessor some compute while
/// others load and store.
constexpr TilePlan plan_for(TilePlan plan, TileVariant variant) {
  constexpr int enough_threads = 128;
  if (variant.from == TileAccess::along && variant.to == TileAccess::along)
    while (plan.lines % 2 == 0 && plan.threads() > enough_threads) plan.lines /= 2;
  return plan;
}

/// The positions after which the turns of shared memory's rows repeat. `row`: numbers in a row.
constexpr int turn_period(const TilePlan& plan, TileVariant variant, int row) {
  if (variant.from == TileAccess::along && plan.turned_by() % 2 == 0) return row * plan.turned_by();
  if (plan.lines == row) return row;
  int period = row;
  while (period % (plan.turned_by() * (row / plan.lines)) != 0) period += row;
  return period;
}

/// A plan that is chosen when the kernel runs, for the host. Kernels call body(stage) for each
/// stage; the compiler knows only its radix.
struct VariablePlan {
  TilePlan value;
  TileVariant variant = {};
  static constexpr int held = max_held;
  /// No period is assumed.
  static constexpr int period(int) { return 1 << 30; }

  template <int radix_>
  struct Stage : TileStage {
    static constexpr int radix = radix_;
  };
  template <class Body>
  void for_each_stage(Body&& body) const {
    for (int number = 0; number < value.stages; ++number)
      with_radix(value.radices[number],
                 [&](auto radix) { body(Stage<decltype(radix)::value>{stage_of(value, number)}); });
  }
};

/// A plan that the compiler knows, for devices. The kernel gets only patches of the variant.
template <TilePlan plan, TileVariant variant_ = TileVariant{}>
struct FixedPlan {
  static constexpr TilePlan value = plan;
  static constexpr TileVariant variant = variant_;
  static constexpr int held = plan.held;
  static constexpr int period(int row) { return turn_period(plan, variant_, row); }

  template <int number>
  struct Stage {
    static constexpr int radix = plan.radices[number];
    static constexpr int before = stage_of(plan, number).before;
    static constexpr int butterflies = stage_of(plan, number).butterflies;
    static constexpr int share = stage_of(plan, number).share;
    static constexpr bool is_first = stage_of(plan, number).is_first;
    static constexpr bool is_last = stage_of(plan, number).is_last;
  };
  template <int number = 0, class Body>
  WEFT_KERNEL void for_each_stage(Body&& body) const {
    if constexpr (number < plan.stages) {
      body(Stage<number>());
      for_each_stage<number + 1>(body);
    }
  }
};

}  // namespace weft
