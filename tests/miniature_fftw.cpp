// FFTW's interface as far as Weft uses it, over sums that follow the definition.
#include "miniature_fftw.hpp"

#include <atomic>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

namespace {

using Complex = std::complex<double>;

struct Dimension {
  std::ptrdiff_t length;
  std::ptrdiff_t input_stride;
  std::ptrdiff_t output_stride;
};

struct Lines {
  Dimension line;
  Dimension many;
  int sign;
};

std::atomic<int> errors_to_come = 0;

/// exp(sign 2 pi i turn / length) for all turns.
std::vector<Complex> roots(std::ptrdiff_t length, int sign) {
  std::vector<Complex> roots;
  for (std::ptrdiff_t turn = 0; turn < length; ++turn)
    roots.push_back(std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(turn) /
                                        static_cast<double>(length)));
  return roots;
}

}  // namespace

extern "C" {

extern const char fftw_version[];  // constants are not exported otherwise
const char fftw_version[] = "miniature";

void miniature_fftw_errs(int transforms) { errors_to_come = transforms; }

void* fftw_plan_guru64_dft(int, const Dimension* line, int, const Dimension* many, Complex*,
                           Complex*, int sign, unsigned) {
  return new Lines{*line, *many, sign};
}

void fftw_execute_dft(const void* plan, const Complex* in, Complex* out) {
  const auto& [line, many, sign] = *static_cast<const Lines*>(plan);
  const std::vector<Complex> waves = roots(line.length, sign);
  for (std::ptrdiff_t number = 0; number < many.length; ++number) {
    std::vector<Complex> sums(waves.size());
    for (std::ptrdiff_t k = 0; k < line.length; ++k)
      for (std::ptrdiff_t j = 0; j < line.length; ++j)
        sums[static_cast<std::size_t>(k)] +=
            in[number * many.input_stride + j * line.input_stride] *
            waves[static_cast<std::size_t>(j * k % line.length)];
    for (std::ptrdiff_t k = 0; k < line.length; ++k)
      out[number * many.output_stride + k * line.output_stride] = sums[static_cast<std::size_t>(k)];
  }
  if (errors_to_come == 0) return;
  if (errors_to_come > 0) --errors_to_come;
  out[0] *= 1 + 1e-6;
}

void fftw_destroy_plan(void* plan) { delete static_cast<Lines*>(plan); }

// Other kinds cannot be planned, so they are never run.
void* fftw_plan_guru64_dft_r2c() { return nullptr; }
void* fftw_plan_guru64_dft_c2r() { return nullptr; }
void* fftw_plan_guru64_r2r() { return nullptr; }
void fftw_execute_dft_r2c() {}
void fftw_execute_dft_c2r() {}
void fftw_execute_r2r() {}
}
