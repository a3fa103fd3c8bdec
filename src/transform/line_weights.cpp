// Every kind is one Fourier sum over a longer line in which the weights stand at their frequencies:
// one table instead of ten algorithms, at up to eight times the work, once per plan.
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

/// y[k] = sum_j factor(j) x[j] f(2 pi (a j + b)(c k + d) / period), f = exp, cos or sin.
struct Sums {
  enum class Wave { forward, backward, cosine, sine } wave;
  Index a, b, c, d, period;
};

Sums sums_of(LineKind kind, Index n) {
  using Wave = Sums::Wave;
  switch (kind) {
    case LineKind::c2c_forward:
    case LineKind::r2c:
      return {Wave::forward, 1, 0, 1, 0, n};
    case LineKind::c2c_backward:
    case LineKind::c2r:
      return {Wave::backward, 1, 0, 1, 0, n};
    case LineKind::dct1:
      return {Wave::cosine, 1, 0, 1, 0, 2 * (n - 1)};
    case LineKind::dct2:
      return {Wave::cosine, 2, 1, 1, 0, 4 * n};
    case LineKind::dct3:
      return {Wave::cosine, 1, 0, 2, 1, 4 * n};
    case LineKind::dct4:
      return {Wave::cosine, 2, 1, 2, 1, 8 * n};
    case LineKind::dst1:
      return {Wave::sine, 1, 1, 1, 1, 2 * (n + 1)};
    case LineKind::dst2:
      return {Wave::sine, 2, 1, 1, 1, 4 * n};
    case LineKind::dst3:
      return {Wave::sine, 1, 1, 2, 1, 4 * n};
    case LineKind::dst4:
      return {Wave::sine, 2, 1, 2, 1, 8 * n};
  }
  return {};
}

/// How often element j of the input counts.
double factor(LineKind kind, Index n, Index j) {
  switch (kind) {
    case LineKind::c2c_forward:
    case LineKind::c2c_backward:
    case LineKind::r2c:
      return 1;
    case LineKind::c2r:
      return j == 0 || 2 * j == n ? 1 : 2;
    case LineKind::dct1:
      return j == 0 || j + 1 == n ? 1 : 2;
    case LineKind::dct3:
      return j == 0 ? 1 : 2;
    case LineKind::dst3:
      return j + 1 == n ? 1 : 2;
    default:
      return 2;
  }
}

bool is_exponential(const Sums& sums) {
  return sums.wave == Sums::Wave::forward || sums.wave == Sums::Wave::backward;
}

/// Of the exponential functions that `sums` stands for.
int sign_of(const Sums& sums) { return sums.wave == Sums::Wave::backward ? 1 : -1; }

std::complex<double> part_of_wave(Sums::Wave wave, std::complex<double> forward) {
  if (wave == Sums::Wave::cosine) return forward.real();
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
  const Sums sums = sums_of(kind, length);
  const Index turn = (sums.a * from + sums.b) * (sums.c * to + sums.d) % sums.period;
  const std::complex<double> wave =
      root(sign_of(sums), static_cast<std::size_t>(turn), static_cast<std::size_t>(sums.period));
  return factor(kind, length, from) * (is_exponential(sums) ? wave : part_of_wave(sums.wave, wave));
}

Line transposed_line(LineKind kind, Index length, const Line& weights) {
  const Sums sums = sums_of(kind, length);
  Line spread(static_cast<std::size_t>(sums.period));
  for (std::size_t k = 0; k < weights.size(); ++k)
    spread[(static_cast<std::size_t>(sums.c) * k + static_cast<std::size_t>(sums.d)) %
           spread.size()] += weights[k];
  const Line found = fourier_sums(spread, sign_of(sums));
  Line result(static_cast<std::size_t>(kind == LineKind::c2r ? length / 2 + 1 : length));
  for (std::size_t j = 0; j < result.size(); ++j) {
    const std::complex<double> at =
        found[(static_cast<std::size_t>(sums.a) * j + static_cast<std::size_t>(sums.b)) %
              found.size()];
    result[j] = factor(kind, length, static_cast<Index>(j)) *
                (is_exponential(sums) ? at : part_of_wave(sums.wave, at));
  }
  return result;
}

}  // namespace weft
