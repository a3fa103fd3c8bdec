// Truth for long lines: FFTW in double precision, one line at a time, only in this process.
#include <fftw3.h>

#include "truth/fftw_kinds.hpp"
#include "truth/truth_lines.hpp"

namespace weft::test {
namespace {

/// c2c, and r2c and c2r as c2c of the whole line: slower, and nothing to get wrong.
class FourierLine : public LineTruth {
 public:
  explicit FourierLine(const AxisTransform& axis)
      : axis_(axis), input_(axis.length), output_(axis.length) {
    plan_ = fftw_plan_dft_1d(static_cast<int>(axis.length), memory(input_), memory(output_),
                             axis.towards_physical ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  }
  ~FourierLine() override { fftw_destroy_plan(plan_); }
  FourierLine(const FourierLine&) = delete;

  void apply(const Exact* input, Exact* output) override {
    const bool weigh = axis_.is_half_complex() && axis_.towards_physical;
    for (Index j = 0; j < axis_.length; ++j) {
      const Exact value = j < axis_.input_length() ? input[j] : Exact(0);
      input_[j] = weigh ? value * half_complex_weight(j, axis_.length) : value;
    }
    fftw_execute(plan_);
    for (Index k = 0; k < axis_.output_length(); ++k) output[k] = output_[k];
  }

 private:
  static fftw_complex* memory(std::vector<std::complex<double>>& values) {
    return reinterpret_cast<fftw_complex*>(values.data());
  }

  AxisTransform axis_;
  std::vector<std::complex<double>> input_, output_;
  fftw_plan plan_;
};

class TrigonometricLine : public LineTruth {
 public:
  explicit TrigonometricLine(const AxisTransform& axis)
      : input_(axis.length), output_(axis.length) {
    plan_ = fftw_plan_r2r_1d(static_cast<int>(axis.length), input_.data(), output_.data(),
                             fftw_kind(axis.walls()), FFTW_ESTIMATE);
  }
  ~TrigonometricLine() override { fftw_destroy_plan(plan_); }
  TrigonometricLine(const TrigonometricLine&) = delete;

  void apply(const Exact* input, Exact* output) override {
    for (std::size_t j = 0; j < input_.size(); ++j) input_[j] = input[j].real();
    fftw_execute(plan_);
    for (std::size_t k = 0; k < output_.size(); ++k) output[k] = output_[k];
    for (std::size_t j = 0; j < input_.size(); ++j) input_[j] = input[j].imag();
    fftw_execute(plan_);
    for (std::size_t k = 0; k < output_.size(); ++k) output[k] += Exact(0, output_[k]);
  }

 private:
  std::vector<double> input_, output_;
  fftw_plan plan_;
};

}  // namespace

bool have_fftw() { return true; }

std::unique_ptr<LineTruth> fftw_line(const AxisTransform& axis) {
  if (axis.kind == Kind::c2c || axis.is_half_complex()) return std::make_unique<FourierLine>(axis);
  return std::make_unique<TrigonometricLine>(axis);
}

}  // namespace weft::test
