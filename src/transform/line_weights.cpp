// Every kind is one Fourier sum over a longer line, with the weights at their frequencies. One
// table replaces ten algorithms, at up to eight times the work, once per plan.
#include "transform/line_weights.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace weft {
namespace {

using Line = std::vector<std::complex<double>>;

/// exp(sign 2 pi i turn / whole).
std::complex<double> root(int sign, std::size_t turn, std::size_t whole) {
  const double angle =
      2 * std::numbers::pi * static_cast<double>(turn % whole) / static_cast<double>(whole);
  return std::polar(1.0, sign * angle);
}

/// Of a length that is a power of two, by decimation in time.
void power_of_two_sums(Line& values, int sign) {
  if (values.size() == 1) return;
  const std::size_t half = values.size() / 2;
  Line even(half), odd(half);
  for (std::size_t q = 0; q < half; ++q) {
    even[q] = values[2 * q];
    odd[q] = values[2 * q + 1];
  }
  power_of_two_sums(even, sign);
  power_of_two_sums(odd, sign);
  for (std::size_t p = 0; p < half; ++p) {
    const std::complex<double> turned = root(sign, p, 2 * half) * odd[p];
    values[p] = even[p] + turned;
    values[p + half] = even[p] - turned;
  }
}

/// As a convolution with a chirp (Bluestein, 1970), because p q = (p^2 + q^2 - (p - q)^2) / 2.
Line chirp_sums(const Line& values, int sign) {
  const std::size_t length = values.size();
  const std::size_t padded = std::bit_ceil(2 * length - 1);
  const auto chirp = [&](std::size_t q) { return root(sign, q * q, 2 * length); };
  Line turned(padded), filter(padded);
  for (std::size_t q = 0; q < length; ++q) {
    turned[q] = values[q] * chirp(q);
    filter[q] = filter[(padded - q) % padded] = std::conj(chirp(q));
  }
  power_of_two_sums(turned, -1);
  power_of_two_sums(filter, -1);
  for (std::size_t p = 0; p < padded; ++p) turned[p] *= filter[p];
  power_of_two_sums(turned, 1);
  Line sums(length);
  for (std::size_t p = 0; p < length; ++p)
    sums[p] = turned[p] * chirp(p) / static_cast<double>(padded);
  return sums;
}

/// How often element j of the input counts.
double count_of(LineKind kind, Index n, Index j) {
  if (kind == LineKind::c2r) return j == 0 || 2 * j == n ? 1 : 2;
  const LineSum& sum = line_sum(kind);
  const bool once = (sum.first_once && j == 0) || (sum.last_once && j + 1 == n);
  return once || sum.is_exponential() ? 1 : 2;
}

/// Of the exponential functions that the sum consists of.
int sign_of(const LineSum& sum) { return sum.wave == LineSum::Wave::backward ? 1 : -1; }

std::complex<double> part_of_wave(LineSum::Wave wave, std::complex<double> forward) {
  if (wave == LineSum::Wave::cosine) return forward.real();
  return -forward.imag();
}

}  // namespace

Line fourier_sums(const Line& values, int sign) {
  if (values.size() > 1 && !std::has_single_bit(values.size())) return chirp_sums(values, sign);
  Line sums = values;
  if (!sums.empty()) power_of_two_sums(sums, sign);
  return sums;
}

std::complex<double> line_entry(LineKind kind, Index length, Index from, Index to) {
  const LineSum& sum = line_sum(kind);
  const Index period = sum.period(length);
  const Index turn = (sum.a * from + sum.b) * (sum.c * to + sum.d) % period;
  const std::complex<double> wave =
      root(sign_of(sum), static_cast<std::size_t>(turn), static_cast<std::size_t>(period));
  return count_of(kind, length, from) *
         (sum.is_exponential() ? wave : part_of_wave(sum.wave, wave));
}

Line transposed_line(LineKind kind, Index length, const Line& weights) {
  const LineSum& sum = line_sum(kind);
  Line spread(static_cast<std::size_t>(sum.period(length)));
  for (std::size_t k = 0; k < weights.size(); ++k)
    spread[(static_cast<std::size_t>(sum.c) * k + static_cast<std::size_t>(sum.d)) %
           spread.size()] += weights[k];
  const Line found = fourier_sums(spread, sign_of(sum));
  Line result(static_cast<std::size_t>(kind == LineKind::c2r ? length / 2 + 1 : length));
  for (std::size_t j = 0; j < result.size(); ++j) {
    const std::complex<double> at =
        found[(static_cast<std::size_t>(sum.a) * j + static_cast<std::size_t>(sum.b)) %
              found.size()];
    result[j] = count_of(kind, length, static_cast<Index>(j)) *
                (sum.is_exponential() ? at : part_of_wave(sum.wave, at));
  }
  return result;
}

}  // namespace weft
