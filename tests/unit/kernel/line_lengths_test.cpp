// The accuracy of line kernels for all lengths, kinds and instruction sets, against sums in long
// double or FFTW in long double, and beside FFTW in the same precision. Every run takes a sample
// with new lengths and numbers, and prints the seed that repeats it as WEFT_RANDOM_SEED. With
// WEFT_EVERY_LENGTH=LONGEST it takes every length up to 2,048, all primes and their powers up to
// 65,537 and 60 smooth lengths up to 2^22, none longer than LONGEST, and prints the largest errors:
// minutes up to 2,048, many hours for all.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "kernel/lane_plan.hpp"
#include "kernel/line_kernel.hpp"
#include "machine/aligned_buffer.hpp"
#include "truth/kernel_targets.hpp"
#include "truth/line_by_definition.hpp"
#include "truth/line_by_fftw.hpp"

namespace weft::test {
namespace {

constexpr Index longest_sum = 2048;  ///< for whose truth FFTW is not needed
constexpr Index longest_prime_power = 65537;
constexpr Index longest_smooth = Index{1} << 22;
constexpr Index longest_of_sample = Index{1} << 15;
/// The aim is twice FFTW's error, and 97.5 % of all checks up to 2,048 reach it. The others, up
/// to 3.4 times, are convolutions, among them most of DCT-I and DST-I, and very short lines.
constexpr double most_times_fftw = 4;
/// Some lengths of this size take several gigabytes as a convolution, of all lanes.
constexpr std::size_t most_scratch = std::size_t{1} << 31;

using Exact = std::complex<long double>;

long environment(const char* name, long fallback) {
  const char* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::strtol(text, nullptr, 10) : fallback;
}
/// 0: a sample.
Index longest_of_all() { return environment("WEFT_EVERY_LENGTH", 0); }

long seed() {
  static const long fresh = static_cast<long>(std::random_device()() % 1'000'000'000);
  return environment("WEFT_RANDOM_SEED", fresh);
}

bool is_prime_power(Index n) {
  Index prime = 2;
  while (prime * prime <= n && n % prime != 0) ++prime;
  if (prime * prime > n) return n > 1;
  while (n % prime == 0) n /= prime;
  return n == 1;
}

std::vector<Index> prime_powers(Index longest) {
  std::vector<Index> all;
  for (Index n = longest_sum + 1; n <= longest; ++n)
    if (is_prime_power(n)) all.push_back(n);
  return all;
}

/// Of all sizes alike often.
Index random_smooth(Index longest, std::mt19937_64& random) {
  std::uniform_real_distribution<double> size(std::log2(static_cast<double>(longest_sum)),
                                              std::log2(static_cast<double>(longest)));
  auto length = static_cast<Index>(std::exp2(size(random)));
  while (!is_smooth(length)) ++length;
  return std::min(length, longest);
}

std::vector<Index> every_length(Index longest) {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed()));
  const std::vector<Index> primes = prime_powers(longest_prime_power);
  std::set<Index> all(primes.begin(), primes.end());
  for (Index n = 1; n <= longest_sum; ++n) all.insert(n);
  for (int i = 0; i < 60; ++i) all.insert(random_smooth(longest_smooth, random));
  return {all.begin(), all.upper_bound(longest)};
}

std::vector<Index> sample_of_lengths() {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed()));
  const std::vector<Index> primes = prime_powers(longest_of_sample);
  std::uniform_int_distribution<Index> any(1, longest_sum);
  std::uniform_int_distribution<std::size_t> prime(0, primes.size() - 1);
  std::set<Index> all{primes[prime(random)], random_smooth(longest_of_sample, random)};
  for (int i = 0; i < 30; ++i) all.insert(any(random));
  return {all.begin(), all.end()};
}

std::vector<Index> lengths() {
  return longest_of_all() > 0 ? every_length(longest_of_all()) : sample_of_lengths();
}

/// Errors in units of eps sqrt(log2 n), of one kind, precision and instruction set.
struct Errors {
  long checks = 0;
  double worst = 0;
  Index worst_length = 0;
  double worst_ratio = 0;  ///< to FFTW's error
  Index ratio_length = 0;
  long above_twice = 0;
};
std::map<std::string, Errors> all_errors;
long checks_left_out = 0;

template <class Real>
std::vector<std::complex<Real>> random_line(LineKind kind, Index length) {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed() + length));
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<std::complex<Real>> line;
  for (Index j = 0; j < (kind == LineKind::c2r ? length / 2 + 1 : length); ++j) {
    const double real = uniform(random), imaginary = uniform(random);
    line.push_back({static_cast<Real>(real), static_cast<Real>(imaginary)});
  }
  if (kind == LineKind::c2r) {
    line.front() = line.front().real();
    if (length % 2 == 0) line.back() = line.back().real();
  }
  return line;
}

template <class Real>
std::vector<Exact> truth(LineKind kind, const std::vector<std::complex<Real>>& line, Index length) {
  if (length <= longest_sum) return line_by_definition(kind, {line.begin(), line.end()}, length);
  return line_by_fftw(kind, std::vector<Exact>{line.begin(), line.end()}, length);
}

/// `parts`: 1 if only the real parts count.
template <class Number>
double relative_error(const std::vector<Number>& result, const std::vector<Exact>& expected,
                      int parts) {
  long double difference = 0, norm = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Exact found(result[k]);
    difference += std::norm(parts == 1 ? found.real() - expected[k].real() : found - expected[k]);
    norm += std::norm(parts == 1 ? expected[k].real() : expected[k]);
  }
  return static_cast<double>(std::sqrt(difference / norm));
}

template <class In, class Out>
bool run(const LineKernel& kernel, std::vector<In> line, std::vector<Out>& result) {
  if (kernel.scratch_bytes(1) > most_scratch) return false;
  const AlignedBuffer scratch(static_cast<Index>(kernel.scratch_bytes(1)));
  const auto rows = [](auto& elements) {
    std::vector<std::byte*> all;
    for (auto& element : elements) all.push_back(reinterpret_cast<std::byte*>(&element));
    return all;
  };
  const std::vector<std::byte*> from = rows(line), to = rows(result);
  kernel.run({from.data(), sizeof(In)}, {to.data(), sizeof(Out)}, 1, 1, scratch.data());
  return true;
}

/// One kind in one precision, with the truth that all instruction sets share.
template <class Real>
class KindCheck {
  using Complex = std::complex<Real>;

 public:
  KindCheck(LineKind kind, Index length)
      : kind_(kind),
        length_(length),
        line_(random_line<Real>(kind, length)),
        expected_(truth(kind, with_parts(kind), length)) {
    if (have_lines_by_fftw())
      fftw_ = relative_error(line_by_fftw(kind, line_, length), expected_, parts_of_result());
  }

  void run_all() {
    for (const std::int64_t target : kernel_targets()) {
      const OnlyTarget only(target);
      const std::string where = hwy::TargetName(target);
      if (is_trigonometric(kind_)) {
        if (takes_first()) check<Real, Real>(where, false);
        if (takes_second()) check<Complex, Complex>(where, false);
      } else if (kind_ == LineKind::r2c) {
        check_both<Real, Complex>(where);
      } else if (kind_ == LineKind::c2r) {
        check_both<Complex, Real>(where);
      } else {
        check_both<Complex, Complex>(where);
      }
    }
  }

 private:
  /// Of a kind's two kernels, a long line has one in turn.
  bool takes_first() const { return length_ <= longest_sum || length_ % 2 != 0; }
  bool takes_second() const { return length_ <= longest_sum || length_ % 2 == 0; }
  template <class In, class Out>
  void check_both(const std::string& target) {
    if (takes_first()) check<In, Out>(target, false);
    if (takes_second()) check<In, Out>(target, true);
  }
  /// Real lines have no imaginary parts.
  std::vector<Complex> with_parts(LineKind kind) const {
    std::vector<Complex> line = line_;
    if (kind == LineKind::r2c)
      for (Complex& x : line) x = x.real();
    return line;
  }
  int parts_of_result() const { return kind_ == LineKind::c2r ? 1 : 2; }

  template <class In, class Out>
  void check(const std::string& target, bool are_contiguous) {
    constexpr bool takes_real = std::is_floating_point_v<In>;
    const auto kernel =
        make_line_kernel(kind_, sizeof(Real) == 8 ? Precision::double_ : Precision::single_,
                         length_, takes_real ? 1 : 2, are_contiguous);
    std::vector<In> line;
    for (const Complex& x : line_) {
      if constexpr (takes_real)
        line.push_back(x.real());
      else
        line.push_back(x);
    }
    std::vector<Out> result(expected_.size());
    if (!run(*kernel, std::move(line), result)) {
      ++checks_left_out;
      return;
    }
    judge(target, relative_error(result, expected_, std::is_floating_point_v<Out> ? 1 : 2));
  }

  void judge(const std::string& target, double error) {
    const double unit = std::numeric_limits<Real>::epsilon() *
                        std::sqrt(std::max(1.0, std::log2(static_cast<double>(length_))));
    const std::string what =
        to_string(kind_) + (sizeof(Real) == 8 ? " double " : " float ") + target;
    Errors& errors = all_errors[what];
    ++errors.checks;
    if (error / unit > errors.worst) errors.worst = error / unit, errors.worst_length = length_;
    EXPECT_LE(error, 3 * unit) << what << " of " << length_;
    if (!have_lines_by_fftw()) return;
    // FFTW's short lines may be exact by chance.
    const double ratio = error / std::max(fftw_, unit / 4);
    if (ratio > errors.worst_ratio) errors.worst_ratio = ratio, errors.ratio_length = length_;
    if (ratio > 2) ++errors.above_twice;
    EXPECT_LE(ratio, most_times_fftw)
        << what << " of " << length_ << ": error " << error << ", FFTW's " << fftw_;
  }

  LineKind kind_;
  Index length_;
  std::vector<Complex> line_;
  std::vector<Exact> expected_;
  double fftw_ = 0;
};

class LineLengths : public testing::TestWithParam<Index> {
 protected:
  static void SetUpTestSuite() {
    std::printf("lengths and lines from WEFT_RANDOM_SEED=%ld\n", seed());
  }
  static void TearDownTestSuite() {
    if (longest_of_all() == 0) return;
    std::printf("errors in eps sqrt(log2 n)\n%-28s %8s %6s %8s %9s %8s %8s\n", "", "checks",
                "worst", "of", "/ FFTW's", "of", "above 2");
    for (const auto& [what, errors] : all_errors)
      std::printf("%-28s %8ld %6.3f %8td %9.3f %8td %8ld\n", what.c_str(), errors.checks,
                  errors.worst, errors.worst_length, errors.worst_ratio, errors.ratio_length,
                  errors.above_twice);
    std::printf("%ld checks left out, which take too much memory\n", checks_left_out);
  }
};

TEST_P(LineLengths, AreExact) {
  const Index length = GetParam();
  SCOPED_TRACE("WEFT_RANDOM_SEED=" + std::to_string(seed()));
  if (length > longest_sum && !have_lines_by_fftw())
    GTEST_SKIP() << "these tests were built without FFTW in long double";
  for (int i = 0; i <= static_cast<int>(LineKind::dst4); ++i) {
    const auto kind = static_cast<LineKind>(i);
    if (kind == LineKind::dct1 && length == 1) continue;  // has no definition
    KindCheck<double>(kind, length).run_all();
    KindCheck<float>(kind, length).run_all();
  }
}

INSTANTIATE_TEST_SUITE_P(Of, LineLengths, testing::ValuesIn(lengths()),
                         [](const auto& one) { return std::to_string(one.param); });

}  // namespace
}  // namespace weft::test
