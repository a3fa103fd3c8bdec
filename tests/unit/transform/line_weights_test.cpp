// Weights carried through a line transform, against what the transform makes of lines by
// definition.
#include "transform/line_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "truth/line_by_definition.hpp"

namespace weft {
namespace {

using Line = std::vector<std::complex<double>>;

/// Calls `check` with every kind that lines of a length have, and the sizes of its input and
/// output.
template <class Check>
void with_every_kind(std::initializer_list<Index> lengths, Check&& check) {
  for (const Index n : lengths)
    for (int number = 0; number <= static_cast<int>(LineKind::dst4); ++number) {
      const auto kind = static_cast<LineKind>(number);
      if (kind == LineKind::dct1 && n < 2) continue;
      SCOPED_TRACE(to_string(kind) + " of " + std::to_string(n));
      const Index half = n / 2 + 1;
      check(kind, n, kind == LineKind::c2r ? half : n, kind == LineKind::r2c ? half : n);
    }
}

TEST(LineWeights, GiveTheSumOverTheResultOfALine) {
  const auto check = [](LineKind kind, Index n, Index inputs, Index outputs) {
    Line line, weights;
    for (Index j = 0; j < inputs; ++j) {
      const auto place = static_cast<double>(j);
      line.emplace_back(std::sin(place * place + 1),
                        kind == LineKind::r2c ? 0 : std::cos(3 * place));
    }
    for (Index k = 0; k < outputs; ++k)
      weights.emplace_back(std::sin(1.1 * static_cast<double>(k) + 0.3));
    const Line found = transposed_line(kind, n, weights);
    const auto result = test::line_by_definition(kind, line, n);
    ASSERT_EQ(found.size(), line.size());
    std::complex<double> difference = 0;
    for (std::size_t j = 0; j < line.size(); ++j) difference += found[j] * line[j];
    for (std::size_t k = 0; k < weights.size(); ++k)
      difference -= weights[k] * std::complex<double>(result[k]);
    if (kind == LineKind::c2r) difference = difference.real();
    EXPECT_LT(std::abs(difference), 1e-12 * static_cast<double>(n));
  };
  with_every_kind({1, 2, 3, 4, 5, 7, 8, 12, 31, 64, 257, 1009}, check);
}

TEST(LineWeights, EntriesAreWhatAnElementAddsToTheResult) {
  const auto check = [](LineKind kind, Index n, Index inputs, Index outputs) {
    for (Index j = 0; j < inputs; ++j) {
      Line line(static_cast<std::size_t>(inputs)), turned = line;
      line[static_cast<std::size_t>(j)] = 1;
      turned[static_cast<std::size_t>(j)] = {0, 1};
      const auto added = test::line_by_definition(kind, line, n);
      const auto imaginary = test::line_by_definition(kind, turned, n);
      for (Index k = 0; k < outputs; ++k) {
        std::complex<double> expected(added[static_cast<std::size_t>(k)]);
        if (kind == LineKind::c2r)
          expected -= std::complex<double>(
              0, static_cast<double>(imaginary[static_cast<std::size_t>(k)].real()));
        EXPECT_LT(std::abs(line_entry(kind, n, j, k) - expected), 1e-13);
      }
    }
  };
  with_every_kind({1, 2, 3, 8, 31}, check);
}

}  // namespace
}  // namespace weft
