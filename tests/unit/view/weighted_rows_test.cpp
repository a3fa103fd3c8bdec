// Weighted sums of rows, for every instruction set, against a plain loop.
#include "view/weighted_rows.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <vector>

#include "truth/kernel_targets.hpp"

namespace weft::test {
namespace {

constexpr Index row_count = 5;

struct Weights {
  bool complex_rows;
  std::complex<double> factor;
};

/// Arrays end where their allocations end, so that AddressSanitizer sees what reads further.
template <class Real>
void expect_right_sums(Index reals, const Weights& weights) {
  std::mt19937 generator(static_cast<unsigned>(reals));
  std::uniform_real_distribution<double> numbers(-1, 1);
  const auto random = [&](Index count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values) value = numbers(generator);
    return values;
  };
  const std::vector<double> values = random(row_count * reals), real = random(row_count),
                            imaginary = random(row_count);
  const std::vector<Real> data(values.begin(), values.end());
  std::vector<double> real_sums = random(reals), imaginary_sums = random(reals),
                      squares = random(reals);
  std::vector<std::complex<double>> expected;
  std::vector<double> expected_squares;
  for (std::size_t c = 0; c < real_sums.size(); ++c) {
    std::complex<double> sum = 0;
    for (std::size_t r = 0; r < row_count; ++r)
      sum += std::complex<double>(real[r], weights.complex_rows ? imaginary[r] : 0) *
             static_cast<double>(data[r * real_sums.size() + c]);
    expected.push_back(std::complex<double>(real_sums[c], imaginary_sums[c]) +
                       weights.factor * sum);
    expected_squares.push_back(squares[c] + std::norm(weights.factor * sum));
  }
  const bool is_real = !weights.complex_rows && weights.factor.imag() == 0;
  add_weighted_rows({.data = reinterpret_cast<const std::byte*>(data.data()),
                     .stride = reals * static_cast<Index>(sizeof(Real)),
                     .rows = row_count,
                     .reals = reals,
                     .real = real.data(),
                     .imaginary = weights.complex_rows ? imaginary.data() : nullptr,
                     .factor = weights.factor},
                    sizeof(Real) == 8 ? Precision::double_ : Precision::single_,
                    {real_sums.data(), is_real ? nullptr : imaginary_sums.data(), squares.data()});
  for (std::size_t c = 0; c < real_sums.size(); ++c) {
    EXPECT_NEAR(real_sums[c], expected[c].real(), 1e-14) << reals << " reals, column " << c;
    EXPECT_NEAR(squares[c], expected_squares[c], 1e-13) << reals << " reals, column " << c;
    EXPECT_NEAR(imaginary_sums[c], expected[c].imag(), 1e-14) << reals << " reals, column " << c;
  }
}

TEST(WeightedRows, AnyWidthAndWeightsOnEveryInstructionSet) {
  for (const std::int64_t target : kernel_targets()) {
    const OnlyTarget only(target);
    for (Index reals = 0; reals <= 70; ++reals)
      for (const Weights& weights : {Weights{false, 0.75}, Weights{false, {0.5, -1.5}},
                                     Weights{true, 1.0}, Weights{true, {-0.25, 2}}}) {
        expect_right_sums<double>(reals, weights);
        expect_right_sums<float>(reals, weights);
      }
  }
}

}  // namespace
}  // namespace weft::test
