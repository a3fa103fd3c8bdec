// FFTW's interface as far as Weft uses it, over sums that follow the definition.
#include "verify/miniature_fftw.hpp"

#include <atomic>
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

std::atomic<int> transforms = 0, right_ones = 0, errors_to_come = 0;
std::atomic<void (*)()> before_next = nullptr;

/// exp(sign 2 pi i turn / length) for all turns.
std::vector<Complex> roots(std::ptrdiff_t length, int sign) {
  std::vector<Complex> roots;
  for (std::ptrdiff_t turn = 0; turn < length; ++turn)
    roots.push_back(std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(turn) /
                                        static_cast<double>(length)));
  return roots;
}

/// Line by line from `in` to `out`, which take and hold so many numbers.
template <class In, class Out, class Take, class Put>
void transform(const Lines& lines, const In* in, Out* out, Take&& take, Put&& put) {
  if (void (*const call)() = before_next.exchange(nullptr)) call();
  const auto& [line, many, sign] = lines;
  const std::vector<Complex> waves = roots(line.length, sign);
  for (std::ptrdiff_t number = 0; number < many.length; ++number) {
    std::vector<Complex> sums(waves.size());
    for (std::ptrdiff_t j = 0; j < line.length; ++j) {
      const Complex value = take(in + number * many.input_stride, j, line);
      for (std::ptrdiff_t k = 0; k < line.length; ++k)
        sums[static_cast<std::size_t>(k)] +=
            value * waves[static_cast<std::size_t>(j * k % line.length)];
    }
    put(out + number * many.output_stride, sums, line);
  }
  ++transforms;
  if (errors_to_come == 0 || right_ones-- > 0) return;
  if (errors_to_come > 0) --errors_to_come;
  out[0] *= 1 + 1e-6;
}

template <class In>
Complex take_all(const In* in, std::ptrdiff_t j, const Dimension& line) {
  return in[j * line.input_stride];
}

/// The other half of the modes is conjugate.
Complex take_half(const Complex* in, std::ptrdiff_t j, const Dimension& line) {
  const std::ptrdiff_t mirrored = line.length - j;
  return j <= mirrored ? in[j * line.input_stride] : std::conj(in[mirrored * line.input_stride]);
}

void put_all(Complex* out, const std::vector<Complex>& sums, const Dimension& line) {
  for (std::size_t k = 0; k < sums.size(); ++k)
    out[static_cast<std::ptrdiff_t>(k) * line.output_stride] = sums[k];
}

void put_half(Complex* out, const std::vector<Complex>& sums, const Dimension& line) {
  for (std::size_t k = 0; k <= sums.size() / 2; ++k)
    out[static_cast<std::ptrdiff_t>(k) * line.output_stride] = sums[k];
}

void put_real(double* out, const std::vector<Complex>& sums, const Dimension& line) {
  for (std::size_t k = 0; k < sums.size(); ++k)
    out[static_cast<std::ptrdiff_t>(k) * line.output_stride] = sums[k].real();
}

const Lines& lines_of(const void* plan) { return *static_cast<const Lines*>(plan); }

}  // namespace

extern "C" {

extern const char fftw_version[];  // constants are not exported otherwise
const char fftw_version[] = "miniature";

int miniature_fftw_transforms() { return transforms; }

void miniature_fftw_errs(int after, int number) {
  right_ones = after;
  errors_to_come = number;
}

void miniature_fftw_pauses(void (*call)()) { before_next = call; }

void* fftw_plan_guru64_dft(int, const Dimension* line, int, const Dimension* many, Complex*,
                           Complex*, int sign, unsigned) {
  return new Lines{*line, *many, sign};
}
void* fftw_plan_guru64_dft_r2c(int, const Dimension* line, int, const Dimension* many, double*,
                               Complex*, unsigned) {
  return new Lines{*line, *many, -1};
}
void* fftw_plan_guru64_dft_c2r(int, const Dimension* line, int, const Dimension* many, Complex*,
                               double*, unsigned) {
  return new Lines{*line, *many, 1};
}

void fftw_execute_dft(const void* plan, const Complex* in, Complex* out) {
  transform(lines_of(plan), in, out, take_all<Complex>, put_all);
}
void fftw_execute_dft_r2c(const void* plan, const double* in, Complex* out) {
  transform(lines_of(plan), in, out, take_all<double>, put_half);
}
void fftw_execute_dft_c2r(const void* plan, const Complex* in, double* out) {
  transform(lines_of(plan), in, out, take_half, put_real);
}

void fftw_destroy_plan(void* plan) { delete static_cast<Lines*>(plan); }

// Other kinds cannot be planned, so they are never run.
void* fftw_plan_guru64_r2r() { return nullptr; }
void fftw_execute_r2r() {}
}
