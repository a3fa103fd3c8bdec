// Roots of unity, and the spectrum of the chirp with which lines of awkward lengths are convolved.
#include "device/tile_constants.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>

namespace weft {
namespace {

using Exact = std::complex<long double>;

/// exp(-2 pi i k / n)
Exact root(Index k, Index n) {
  const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k % n) /
                            static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

int smallest_factor(int n) {
  for (int factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0) return factor;
  return n;
}

/// The forward transform of every `stride`-th number, n of them; n is a product of small factors.
std::vector<Exact> transformed(const Exact* x, int n, int stride) {
  if (n == 1) return {*x};
  const int parts = smallest_factor(n), length = n / parts;
  std::vector<Exact> result(static_cast<std::size_t>(n));
  for (int part = 0; part < parts; ++part) {
    const auto spectrum = transformed(x + part * stride, length, stride * parts);
    for (int k = 0; k < n; ++k)
      result[k] += spectrum[k % length] * root(static_cast<Index>(part) * k, n);
  }
  return result;
}

/// exp(-pi i k^2 / n)
Exact chirp(Index k, Index n) { return root(k * k, 2 * n); }

std::vector<Exact> chirp_spectrum(const TilePlan& plan) {
  std::vector<Exact> convolved(static_cast<std::size_t>(plan.transformed));
  for (int k = 0; k < plan.numbers; ++k) {
    const Exact value =
        std::conj(chirp(k, plan.numbers)) / static_cast<long double>(plan.transformed);
    convolved[k] = value;
    if (k > 0) convolved[plan.transformed - k] = value;
  }
  return transformed(convolved.data(), plan.transformed, 1);
}

std::vector<Exact> exact_constants(const TilePlan& plan) {
  std::vector<Exact> values;
  if (plan.is_copy()) return values;
  values.reserve(static_cast<std::size_t>(plan.constants()));
  for (int before = 1, stage = 0; stage < plan.stages; before *= plan.radices[stage++])
    for (int j = 1; stage > 0 && j < plan.radices[stage]; ++j)
      for (int k = 0; k < before; ++k)
        values.push_back(root(static_cast<Index>(j) * k, Index{before} * plan.radices[stage]));
  if (plan.is_packed())
    for (int k = 0; k <= plan.numbers / 2; ++k) values.push_back(root(k, plan.length));
  if (plan.convolves()) {
    for (int k = 0; k < plan.numbers; ++k) values.push_back(chirp(k, plan.numbers));
    for (const Exact& value : chirp_spectrum(plan)) values.push_back(value);
  }
  return values;
}

template <class Real>
std::vector<std::byte> rounded(const std::vector<Exact>& values) {
  std::vector<std::complex<Real>> numbers(values.begin(), values.end());
  std::vector<std::byte> bytes(numbers.size() * sizeof(std::complex<Real>));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

}  // namespace

std::vector<std::byte> tile_constants(const TilePlan& plan, Precision precision) {
  const std::vector<Exact> values = exact_constants(plan);
  return precision == Precision::double_ ? rounded<double>(values) : rounded<float>(values);
}

}  // namespace weft
