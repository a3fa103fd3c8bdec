// exp(-2 pi i s k / n) with k = k1 f + k0 is the product of a factor of k1 and one of k0; with s =
// s1 f + s0 it is the product of a factor of s1 and one of s0. Long lines take the first form,
// whose rows stay in the first-level cache, and many short lines the second, whose table is smaller
// then.
#include "pass/twiddle_lines.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "kernel/lane_plan.hpp"

namespace weft {
namespace {

Index root_of(Index count) {
  return std::max<Index>(1, static_cast<Index>(std::sqrt(static_cast<double>(count))));
}

Index quotient_up(Index count, Index part) { return (count + part - 1) / part; }

/// A multiple of all numbers of lanes, or the whole of a short line.
Index part_of(Index elements) {
  constexpr Index unit = 64;
  return std::min(elements, quotient_up(root_of(elements), unit) * unit);
}

}  // namespace

std::vector<std::complex<double>> twiddle_row(const Step& step, Index s, Index first,
                                              Index distance, Index count) {
  const double sign = step.kind == LineKind::c2c_backward ? -1 : 1;
  const Index n = step.twiddle.length;
  std::vector<std::complex<double>> row;
  for (Index place = 0; place < count; ++place) {
    const Root root = root_of_unity(s * (first + place * distance) % n, n);
    row.emplace_back(root.cosine, sign * root.sine);
  }
  return row;
}

TwiddleLines::TwiddleLines(const Step& step, Precision precision, const std::vector<Box>& domains)
    : twiddle_(step.twiddle), precision_(precision), elements_(step.length) {
  if (!twiddle_.turns()) return;
  Index end = 0;
  first_ = std::numeric_limits<Index>::max();
  for (const Box& box : domains) {
    if (box.empty()) continue;
    first_ = std::min(first_, box.lower[twiddle_.axis]);
    end = std::max(end, box.upper[twiddle_.axis]);
  }
  if (end == 0) return;
  count_ = end - first_;
  part_ = part_of(elements_);
  fine_ = root_of(count_);
  const Index along = count_ * (part_ + quotient_up(elements_, part_));
  const Index across = (quotient_up(count_, fine_) + fine_) * elements_;
  if (along <= across)
    split_along(step);
  else
    split_across(step);
}

void TwiddleLines::split_along(const Step& step) {
  const Index parts = quotient_up(elements_, part_);
  allocate(count_ * (part_ + parts));
  for (Index line = 0; line < count_; ++line) {
    const Index place = line * (part_ + parts);
    fill(place, twiddle_row(step, first_ + line, 0, 1, part_));
    fill(place + part_, twiddle_row(step, first_ + line, 0, part_, parts));
  }
}

void TwiddleLines::split_across(const Step& step) {
  part_ = 0;
  const Index coarse = quotient_up(count_, fine_);
  allocate((coarse + fine_) * elements_);
  for (Index row = 0; row < coarse; ++row)
    fill(row * elements_, twiddle_row(step, first_ + row * fine_, 0, 1, elements_));
  for (Index row = 0; row < fine_; ++row)
    fill((coarse + row) * elements_, twiddle_row(step, row, 0, 1, elements_));
}

void TwiddleLines::allocate(Index factors) {
  factors_ = AlignedBuffer(static_cast<std::size_t>(factors * Element{precision_, false}.bytes()));
}

void TwiddleLines::fill(Index place, const std::vector<std::complex<double>>& factors) {
  const auto copy = [&](auto* numbers) {
    using Number = std::remove_pointer_t<decltype(numbers)>;
    std::ranges::transform(factors, numbers + place, [](const std::complex<double>& factor) {
      return static_cast<Number>(factor);
    });
  };
  if (precision_ == Precision::double_)
    copy(reinterpret_cast<std::complex<double>*>(factors_.data()));
  else
    copy(reinterpret_cast<std::complex<float>*>(factors_.data()));
}

FactorRows TwiddleLines::rows_of(Index s) const {
  const auto at = [&](Index place) {
    return factors_.data() + place * Element{precision_, false}.bytes();
  };
  const Index line = s - first_;
  if (part_ == 0) {
    const Index coarse = quotient_up(count_, fine_);
    return {at(line / fine_ * elements_), at((coarse + line % fine_) * elements_), 0};
  }
  const Index place = line * (part_ + quotient_up(elements_, part_));
  return {at(place), at(place + part_), part_};
}

void TwiddleLines::turn(const TileLines& lines) const {
  if (!twiddle_.turns()) return;
  lines.for_each([&](const Point& point, std::byte* line) {
    multiply_line(line, rows_of(point[twiddle_.axis]), elements_, precision_);
  });
}

}  // namespace weft
