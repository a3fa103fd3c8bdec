// exp(-2 pi i s k / n) with k = k1 f + k0 is the product of a coarse factor of k1 and a fine one of
// k0. With f near the square root of the length both rows stay in the first-level cache beside the
// line, for one multiplication more.
#include "pass/twiddle_lines.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "kernel/complex_products.hpp"
#include "kernel/lane_plan.hpp"

namespace weft {
namespace {

/// A multiple of all numbers of lanes, and as long as short lines.
Index fine_length(Index elements) {
  constexpr Index unit = 64;
  const auto root = static_cast<Index>(std::sqrt(static_cast<double>(elements)));
  return std::min(elements, (root + unit - 1) / unit * unit);
}

template <class Real>
void fill(std::byte* row, const std::vector<std::complex<double>>& factors) {
  std::ranges::transform(
      factors, reinterpret_cast<std::complex<Real>*>(row),
      [](const std::complex<double>& factor) { return std::complex<Real>(factor); });
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
  fine_ = fine_length(elements_);
  const Index coarse = (elements_ + fine_ - 1) / fine_;
  const Index element_bytes = Element{precision, false}.bytes();
  row_bytes_ = (fine_ + coarse) * element_bytes;
  rows_ = AlignedBuffer(static_cast<std::size_t>((end - first_) * row_bytes_));
  const auto fill_row = precision == Precision::double_ ? fill<double> : fill<float>;
  for (Index s = first_; s < end; ++s) {
    std::byte* const row = rows_.data() + (s - first_) * row_bytes_;
    fill_row(row, twiddle_row(step, s, 0, 1, fine_));
    fill_row(row + fine_ * element_bytes, twiddle_row(step, s, 0, fine_, coarse));
  }
}

void TwiddleLines::turn(const TileLines& lines) const {
  if (!twiddle_.turns()) return;
  lines.for_each([&](const Point& point, std::byte* line) {
    multiply_line(line, rows_.data() + (point[twiddle_.axis] - first_) * row_bytes_, fine_,
                  elements_, precision_);
  });
}

}  // namespace weft
