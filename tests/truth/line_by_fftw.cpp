// Plans without measuring, for one use each.
#include "truth/line_by_fftw.hpp"

#include <fftw3.h>

#include <stdexcept>

#include "truth/fftw_kinds.hpp"

namespace weft::test {
namespace {

/// FFTW's functions have another name in each precision.
template <class Complex, auto plan_complex, auto plan_to_half, auto plan_from_half, auto plan_real,
          auto execute_plan, auto destroy_plan>
struct Functions {
  using Number = Complex;
  static constexpr auto complex = plan_complex;
  static constexpr auto to_half = plan_to_half;
  static constexpr auto from_half = plan_from_half;
  static constexpr auto real = plan_real;
  static constexpr auto execute = execute_plan;
  static constexpr auto destroy = destroy_plan;
};
template <class Real>
struct Fftw;
template <>
struct Fftw<float>
    : Functions<fftwf_complex, fftwf_plan_dft_1d, fftwf_plan_dft_r2c_1d, fftwf_plan_dft_c2r_1d,
                fftwf_plan_r2r_1d, fftwf_execute, fftwf_destroy_plan> {};
template <>
struct Fftw<double>
    : Functions<fftw_complex, fftw_plan_dft_1d, fftw_plan_dft_r2c_1d, fftw_plan_dft_c2r_1d,
                fftw_plan_r2r_1d, fftw_execute, fftw_destroy_plan> {};
template <>
struct Fftw<long double>
    : Functions<fftwl_complex, fftwl_plan_dft_1d, fftwl_plan_dft_r2c_1d, fftwl_plan_dft_c2r_1d,
                fftwl_plan_r2r_1d, fftwl_execute, fftwl_destroy_plan> {};

template <class Real, class Plan>
void run(Plan plan) {
  if (plan == nullptr) throw std::runtime_error("FFTW has no plan for a line");
  Fftw<Real>::execute(plan);
  Fftw<Real>::destroy(plan);
}

template <class Real>
auto* memory(ComplexLine<Real>& line) {
  return reinterpret_cast<typename Fftw<Real>::Number*>(line.data());
}

template <class Real>
std::vector<Real> parts(const ComplexLine<Real>& line, bool imaginary) {
  std::vector<Real> part;
  for (const std::complex<Real>& x : line) part.push_back(imaginary ? x.imag() : x.real());
  return part;
}

template <class Real>
ComplexLine<Real> trigonometric(LineKind kind, const ComplexLine<Real>& line) {
  const auto length = static_cast<Index>(line.size());
  std::vector<Real> result[2];
  for (const bool imaginary : {false, true}) {
    std::vector<Real> input = parts(line, imaginary);
    result[imaginary].resize(line.size());
    run<Real>(Fftw<Real>::real(static_cast<int>(length), input.data(), result[imaginary].data(),
                               fftw_kind(walls_of(kind, length)), FFTW_ESTIMATE));
  }
  ComplexLine<Real> both;
  for (std::size_t k = 0; k < line.size(); ++k) both.push_back({result[0][k], result[1][k]});
  return both;
}

}  // namespace

bool have_lines_by_fftw() { return true; }

template <class Real>
ComplexLine<Real> line_by_fftw(LineKind kind, ComplexLine<Real> line, Index length) {
  if (is_trigonometric(kind)) return trigonometric(kind, line);
  const auto n = static_cast<int>(length);
  if (kind == LineKind::c2r) {
    std::vector<Real> real(static_cast<std::size_t>(length));
    run<Real>(Fftw<Real>::from_half(n, memory(line), real.data(), FFTW_ESTIMATE));
    return {real.begin(), real.end()};
  }
  ComplexLine<Real> result(line.size());
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

template ComplexLine<float> line_by_fftw(LineKind, ComplexLine<float>, Index);
template ComplexLine<double> line_by_fftw(LineKind, ComplexLine<double>, Index);
template ComplexLine<long double> line_by_fftw(LineKind, ComplexLine<long double>, Index);

}  // namespace weft::test
