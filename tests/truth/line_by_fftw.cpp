// Plans without measuring, for one use each.
#include "truth/line_by_fftw.hpp"

#include <fftw3.h>

#include <stdexcept>

#include "truth/fftw_kinds.hpp"

namespace weft::test {
namespace {

/// FFTW's functions have another name in each precision.
template <class Real>
struct Fftw;
template <>
struct Fftw<float> {
  using Number = fftwf_complex;
  static constexpr auto complex = fftwf_plan_dft_1d;
  static constexpr auto to_half = fftwf_plan_dft_r2c_1d;
  static constexpr auto from_half = fftwf_plan_dft_c2r_1d;
  static constexpr auto real = fftwf_plan_r2r_1d;
  static constexpr auto execute = fftwf_execute;
  static constexpr auto destroy = fftwf_destroy_plan;
};
template <>
struct Fftw<double> {
  using Number = fftw_complex;
  static constexpr auto complex = fftw_plan_dft_1d;
  static constexpr auto to_half = fftw_plan_dft_r2c_1d;
  static constexpr auto from_half = fftw_plan_dft_c2r_1d;
  static constexpr auto real = fftw_plan_r2r_1d;
  static constexpr auto execute = fftw_execute;
  static constexpr auto destroy = fftw_destroy_plan;
};
template <>
struct Fftw<long double> {
  using Number = fftwl_complex;
  static constexpr auto complex = fftwl_plan_dft_1d;
  static constexpr auto to_half = fftwl_plan_dft_r2c_1d;
  static constexpr auto from_half = fftwl_plan_dft_c2r_1d;
  static constexpr auto real = fftwl_plan_r2r_1d;
  static constexpr auto execute = fftwl_execute;
  static constexpr auto destroy = fftwl_destroy_plan;
};

template <class Real, class Plan>
void run(Plan plan) {
  if (plan == nullptr) throw std::runtime_error("FFTW has no plan for a line");
  Fftw<Real>::execute(plan);
  Fftw<Real>::destroy(plan);
}

template <class Real>
auto* memory(std::vector<std::complex<Real>>& line) {
  return reinterpret_cast<typename Fftw<Real>::Number*>(line.data());
}

template <class Real>
std::vector<Real> parts(const std::vector<std::complex<Real>>& line, bool imaginary) {
  std::vector<Real> part;
  for (const std::complex<Real>& x : line) part.push_back(imaginary ? x.imag() : x.real());
  return part;
}

template <class Real>
std::vector<std::complex<Real>> trigonometric(LineKind kind,
                                              const std::vector<std::complex<Real>>& line) {
  const auto length = static_cast<Index>(line.size());
  std::vector<Real> result[2];
  for (const bool imaginary : {false, true}) {
    std::vector<Real> input = parts(line, imaginary);
    result[imaginary].resize(line.size());
    run<Real>(Fftw<Real>::real(static_cast<int>(length), input.data(), result[imaginary].data(),
                               fftw_kind(walls_of(kind, length)), FFTW_ESTIMATE));
  }
  std::vector<std::complex<Real>> both;
  for (std::size_t k = 0; k < line.size(); ++k) both.push_back({result[0][k], result[1][k]});
  return both;
}

}  // namespace

bool have_lines_by_fftw() { return true; }

template <class Real>
std::vector<std::complex<Real>> line_by_fftw(LineKind kind, std::vector<std::complex<Real>> line,
                                             Index length) {
  if (is_trigonometric(kind)) return trigonometric(kind, line);
  const auto n = static_cast<int>(length);
  if (kind == LineKind::c2r) {
    std::vector<Real> real(static_cast<std::size_t>(length));
    run<Real>(Fftw<Real>::from_half(n, memory(line), real.data(), FFTW_ESTIMATE));
    return {real.begin(), real.end()};
  }
  std::vector<std::complex<Real>> result(line.size());
  if (kind == LineKind::r2c) {
    std::vector<Real> real = parts(line, false);
    result.resize(static_cast<std::size_t>(length / 2 + 1));
    run<Real>(Fftw<Real>::to_half(n, real.data(), memory(result), FFTW_ESTIMATE));
    return result;
  }
  const int sign = kind == LineKind::c2c_backward ? FFTW_BACKWARD : FFTW_FORWARD;
  run<Real>(Fftw<Real>::complex(n, memory(line), memory(result), sign, FFTW_ESTIMATE));
  return result;
}

template std::vector<std::complex<float>> line_by_fftw(LineKind, std::vector<std::complex<float>>,
                                                       Index);
template std::vector<std::complex<double>> line_by_fftw(LineKind, std::vector<std::complex<double>>,
                                                        Index);
template std::vector<std::complex<long double>> line_by_fftw(LineKind,
                                                             std::vector<std::complex<long double>>,
                                                             Index);

}  // namespace weft::test
