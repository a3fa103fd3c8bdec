// exp(-2 pi i s k / n) with s = s1 f + s0 is the product of a factor of s1 and one of s0: rows for
// both cost about the square root of the memory of rows for all s, and one multiplication more.
#include "pass/twiddle_lines.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "kernel/complex_products.hpp"
#include "kernel/lane_plan.hpp"

namespace weft {
namespace {

template <class Real>
void fill_row(std::complex<Real>* row, const Step& step, Index index) {
  const std::vector<std::complex<double>> factors = twiddle_row(step, index);
  std::ranges::transform(
      factors, row, [](const std::complex<double>& factor) { return std::complex<Real>(factor); });
}

}  // namespace

std::vector<std::complex<double>> twiddle_row(const Step& step, Index index) {
  const double sign = step.kind == LineKind::c2c_backward ? -1 : 1;
  const Index n = step.twiddle.length;
  std::vector<std::complex<double>> row;
  for (Index k = 0; k < step.length; ++k) {
    const Root root = root_of_unity(index * k % n, n);
    row.emplace_back(root.cosine, sign * root.sine);
  }
  return row;
}

TwiddleRows::TwiddleRows(Index first_index, Index end)
    : first(first_index),
      count(std::max<Index>(end - first_index, 0)),
      fine(std::max<Index>(1, static_cast<Index>(std::sqrt(static_cast<double>(count))))) {}

void TwiddleLines::Rows::fill(const Step& step, Precision precision, Index first, Index distance,
                              Index count) {
  const Index row_bytes = step.length * Element{precision, false}.bytes();
  factors = AlignedBuffer(static_cast<std::size_t>(row_bytes * count));
  for (Index number = 0; number < count; ++number) {
    std::byte* const row = factors.data() + number * row_bytes;
    const Index index = first + number * distance;
    if (precision == Precision::double_)
      fill_row(reinterpret_cast<std::complex<double>*>(row), step, index);
    else
      fill_row(reinterpret_cast<std::complex<float>*>(row), step, index);
  }
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
  const TwiddleRows rows(first_, end);
  row_bytes_ = elements_ * Element{precision, false}.bytes();
  fine_ = rows.fine;
  coarse_.fill(step, precision, first_, fine_, rows.coarse_count());
  if (fine_ > 1) fine_rows_.fill(step, precision, 0, 1, fine_);
}

void TwiddleLines::turn(const TileLines& lines) const {
  if (!twiddle_.turns()) return;
  lines.for_each([&](const Point& point, std::byte* line) {
    const Index index = point[twiddle_.axis] - first_;
    const Index rest = index % fine_;
    multiply_line(line, row(coarse_, index / fine_), rest > 0 ? row(fine_rows_, rest) : nullptr,
                  elements_, precision_);
  });
}

}  // namespace weft
