// FFTW 3, the default engine: supports every kind and length, but planning is serial.
#include <fftw3.h>

#include <cstring>
#include <mutex>

#include "machine/aligned_buffer.hpp"
#include "pass/engine.hpp"

namespace weft {
namespace {

/// Serialises planning in all threads, because FFTW's planner is not thread-safe.
std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// Common names for FFTW's double and float libraries.
template <class Real>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  using Dimension = fftw_iodim64;
  static constexpr auto plan_dft = fftw_plan_guru64_dft;
  static constexpr auto plan_r2c = fftw_plan_guru64_dft_r2c;
  static constexpr auto plan_c2r = fftw_plan_guru64_dft_c2r;
  static constexpr auto plan_r2r = fftw_plan_guru64_r2r;
  static constexpr auto run_dft = fftw_execute_dft;
  static constexpr auto run_r2c = fftw_execute_dft_r2c;
  static constexpr auto run_c2r = fftw_execute_dft_c2r;
  static constexpr auto run_r2r = fftw_execute_r2r;
  static constexpr auto destroy = fftw_destroy_plan;
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  using Dimension = fftwf_iodim64;
  static constexpr auto plan_dft = fftwf_plan_guru64_dft;
  static constexpr auto plan_r2c = fftwf_plan_guru64_dft_r2c;
  static constexpr auto plan_c2r = fftwf_plan_guru64_dft_c2r;
  static constexpr auto plan_r2r = fftwf_plan_guru64_r2r;
  static constexpr auto run_dft = fftwf_execute_dft;
  static constexpr auto run_r2c = fftwf_execute_dft_r2c;
  static constexpr auto run_c2r = fftwf_execute_dft_c2r;
  static constexpr auto run_r2r = fftwf_execute_r2r;
  static constexpr auto destroy = fftwf_destroy_plan;
};

unsigned planner_flags(const LineBatch& batch) {
  unsigned flags = batch.effort == EngineEffort::estimate  ? FFTW_ESTIMATE
                   : batch.effort == EngineEffort::measure ? FFTW_MEASURE
                                                           : FFTW_PATIENT;
  return flags | (batch.kind == LineKind::c2r ? FFTW_DESTROY_INPUT : FFTW_PRESERVE_INPUT);
}

fftw_r2r_kind trigonometric_kind(LineKind kind) {
  switch (kind) {
    case LineKind::dct1:
      return FFTW_REDFT00;
    case LineKind::dct2:
      return FFTW_REDFT10;
    case LineKind::dct3:
      return FFTW_REDFT01;
    case LineKind::dct4:
      return FFTW_REDFT11;
    case LineKind::dst1:
      return FFTW_RODFT00;
    case LineKind::dst2:
      return FFTW_RODFT10;
    case LineKind::dst3:
      return FFTW_RODFT01;
    default:
      return FFTW_RODFT11;
  }
}

template <class Real>
class FftwLines : public LineTransform {
  using Api = Fftw<Real>;
  using Complex = typename Api::Complex;

 public:
  explicit FftwLines(const LineBatch& batch) : kind_(batch.kind) {
    const std::lock_guard lock(planner_mutex());
    const Index widest = std::max(batch.input_distance, batch.output_distance);
    const std::size_t bytes = (widest * batch.lines + 2) * 2 * sizeof(Real);
    AlignedBuffer input(bytes);
    AlignedBuffer output(bytes);
    // FFTW measures on zeros: subnormals or NaN left in memory would mislead the planner.
    std::memset(input.data(), 0, bytes);
    std::memset(output.data(), 0, bytes);
    plan_ = make(batch, input.data(), output.data());
    if (plan_ == nullptr)
      throw Error("FFTW cannot plan " + to_string(batch.kind) + " of length " +
                  std::to_string(batch.length));
  }
  ~FftwLines() override {
    const std::lock_guard lock(planner_mutex());
    Api::destroy(plan_);
  }
  FftwLines(const FftwLines&) = delete;
  FftwLines& operator=(const FftwLines&) = delete;

  void run(const void* input, void* output) const override {
    void* in = const_cast<void*>(input);  // FFTW's signature
    if (kind_ == LineKind::r2c)
      Api::run_r2c(plan_, static_cast<Real*>(in), static_cast<Complex*>(output));
    else if (kind_ == LineKind::c2r)
      Api::run_c2r(plan_, static_cast<Complex*>(in), static_cast<Real*>(output));
    else if (is_trigonometric(kind_))
      Api::run_r2r(plan_, static_cast<Real*>(in), static_cast<Real*>(output));
    else
      Api::run_dft(plan_, static_cast<Complex*>(in), static_cast<Complex*>(output));
  }

 private:
  static typename Api::Plan make(const LineBatch& batch, void* in, void* out) {
    using Dimension = typename Api::Dimension;
    const Index components = batch.components;
    const Dimension line{batch.length, components, components};
    const Dimension many[2]{
        {batch.lines, batch.input_distance * components, batch.output_distance * components},
        {components, 1, 1}};
    const unsigned flags = planner_flags(batch);
    if (batch.kind == LineKind::r2c)
      return Api::plan_r2c(1, &line, 1, many, static_cast<Real*>(in), static_cast<Complex*>(out),
                           flags);
    if (batch.kind == LineKind::c2r)
      return Api::plan_c2r(1, &line, 1, many, static_cast<Complex*>(in), static_cast<Real*>(out),
                           flags);
    if (is_trigonometric(batch.kind)) {
      const auto kind = trigonometric_kind(batch.kind);
      return Api::plan_r2r(1, &line, components == 2 ? 2 : 1, many, static_cast<Real*>(in),
                           static_cast<Real*>(out), &kind, flags);
    }
    const int sign = batch.kind == LineKind::c2c_forward ? FFTW_FORWARD : FFTW_BACKWARD;
    return Api::plan_dft(1, &line, 1, many, static_cast<Complex*>(in), static_cast<Complex*>(out),
                         sign, flags);
  }

  LineKind kind_;
  typename Api::Plan plan_;
};

bool supports(LineKind, Precision) { return true; }

std::unique_ptr<LineTransform> plan(const LineBatch& batch) {
  if (batch.precision == Precision::double_) return std::make_unique<FftwLines<double>>(batch);
  return std::make_unique<FftwLines<float>>(batch);
}

}  // namespace

Engine fftw_engine() { return {"fftw", fftw_version, supports, plan}; }

}  // namespace weft
