// Weights carried through a line transform, against the sums that define it.
#include "transform/line_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace weft {
namespace {

using Line = std::vector<std::complex<double>>;

/// What element j of the input adds to element k of the result, as SciPy defines it.
std::complex<double> entry(LineKind kind, Index n, Index j, Index k) {
  const double pi = std::numbers::pi;
  const auto x = static_cast<double>(j), y = static_cast<double>(k), size = static_cast<double>(n);
  const double sign = k % 2 == 0 ? 1 : -1;
  switch (kind) {
    case LineKind::c2c_forward:
    case LineKind::r2c:
      return std::polar(1.0, -2 * pi * x * y / size);
    case LineKind::c2c_backward:
      return std::polar(1.0, 2 * pi * x * y / size);
    case LineKind::c2r:
      return (j == 0 || 2 * j == n ? 1.0 : 2.0) * std::polar(1.0, 2 * pi * x * y / size);
    case LineKind::dct1:
      if (j == 0) return 1;
      return j == n - 1 ? sign : 2 * std::cos(pi * x * y / (size - 1));
    case LineKind::dct2:
      return 2 * std::cos(pi * y * (2 * x + 1) / (2 * size));
    case LineKind::dct3:
      return j == 0 ? 1 : 2 * std::cos(pi * x * (2 * y + 1) / (2 * size));
    case LineKind::dct4:
      return 2 * std::cos(pi * (2 * x + 1) * (2 * y + 1) / (4 * size));
    case LineKind::dst1:
      return 2 * std::sin(pi * (x + 1) * (y + 1) / (size + 1));
    case LineKind::dst2:
      return 2 * std::sin(pi * (y + 1) * (2 * x + 1) / (2 * size));
    case LineKind::dst3:
      return j == n - 1 ? sign : 2 * std::sin(pi * (x + 1) * (2 * y + 1) / (2 * size));
    case LineKind::dst4:
      return 2 * std::sin(pi * (2 * x + 1) * (2 * y + 1) / (4 * size));
  }
  return 0;
}

TEST(LineWeights, EqualTheSumsThatDefineEveryKind) {
  for (const Index n : {1, 2, 3, 4, 5, 7, 8, 12, 31, 64, 257, 1009})
    for (int number = 0; number <= static_cast<int>(LineKind::dst4); ++number) {
      const auto kind = static_cast<LineKind>(number);
      if (kind == LineKind::dct1 && n < 2) continue;
      SCOPED_TRACE(to_string(kind) + " of " + std::to_string(n));
      const Index outputs = kind == LineKind::r2c ? n / 2 + 1 : n;
      const Index inputs = kind == LineKind::c2r ? n / 2 + 1 : n;
      Line weights;
      for (Index k = 0; k < outputs; ++k)
        weights.emplace_back(std::sin(1.1 * static_cast<double>(k) + 0.3));
      const Line found = transposed_line(kind, n, weights);
      ASSERT_EQ(found.size(), static_cast<std::size_t>(inputs));
      for (Index j = 0; j < inputs; ++j) {
        std::complex<double> expected = 0;
        for (Index k = 0; k < outputs; ++k)
          expected += weights[static_cast<std::size_t>(k)] * entry(kind, n, j, k);
        EXPECT_LT(std::abs(found[static_cast<std::size_t>(j)] - expected),
                  1e-12 * static_cast<double>(n));
      }
    }
}

TEST(LineWeights, EntriesAreThoseOfTheDefinition) {
  for (const Index n : {1, 2, 3, 8, 31})
    for (int number = 0; number <= static_cast<int>(LineKind::dst4); ++number) {
      const auto kind = static_cast<LineKind>(number);
      if (kind == LineKind::dct1 && n < 2) continue;
      SCOPED_TRACE(to_string(kind) + " of " + std::to_string(n));
      const Index outputs = kind == LineKind::r2c ? n / 2 + 1 : n;
      const Index inputs = kind == LineKind::c2r ? n / 2 + 1 : n;
      for (Index j = 0; j < inputs; ++j)
        for (Index k = 0; k < outputs; ++k)
          EXPECT_LT(std::abs(line_entry(kind, n, j, k) - entry(kind, n, j, k)), 1e-13);
    }
}

}  // namespace
}  // namespace weft
