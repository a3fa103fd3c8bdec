// FFTW 3, where it is installed: opened at run time by the name of its library, so that Weft
// neither needs it nor contains it. Planning is serial.
#include <cstddef>
#include <cstring>
#include <mutex>

#include "engine/engine.hpp"
#include "machine/aligned_buffer.hpp"
#include "machine/opened_library.hpp"

namespace weft {
namespace {

// The used part of FFTW's interface, which is the same since FFTW 3.2 (fftw.org, "Guru Interface").
enum Flags : unsigned {
  measure = 0,
  destroy_input = 1U << 0,
  preserve_input = 1U << 4,
  patient = 1U << 5,
  estimate = 1U << 6
};
enum R2rKind : int { redft00 = 3, rodft00 = 7 };
struct Dimension {
  std::ptrdiff_t length;
  std::ptrdiff_t input_stride;
  std::ptrdiff_t output_stride;
};
using Plan = struct OpaquePlan*;

/// Serialises planning in all threads, because FFTW's planner is not thread-safe.
std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// The functions of FFTW's double or float library.
template <class Real>
struct Fftw {
  using Complex = Real[2];
  Plan (*plan_dft)(int, const Dimension*, int, const Dimension*, Complex*, Complex*, int,
                   unsigned) = nullptr;
  Plan (*plan_r2c)(int, const Dimension*, int, const Dimension*, Real*, Complex*,
                   unsigned) = nullptr;
  Plan (*plan_c2r)(int, const Dimension*, int, const Dimension*, Complex*, Real*,
                   unsigned) = nullptr;
  Plan (*plan_r2r)(int, const Dimension*, int, const Dimension*, Real*, Real*, const R2rKind*,
                   unsigned) = nullptr;
  void (*run_dft)(Plan, Complex*, Complex*) = nullptr;
  void (*run_r2c)(Plan, Real*, Complex*) = nullptr;
  void (*run_c2r)(Plan, Complex*, Real*) = nullptr;
  void (*run_r2r)(Plan, Real*, Real*) = nullptr;
  void (*destroy)(Plan) = nullptr;
  const char* version = nullptr;
  bool is_loaded = false;
};

template <class Real>
Fftw<Real> load() {
  const std::string prefix = sizeof(Real) == sizeof(double) ? "fftw" : "fftwf";
  const std::string file = sizeof(Real) == sizeof(double) ? "libfftw3" : "libfftw3f";
  Fftw<Real> fftw;
  const OpenedLibrary library{file + ".so.3", file + ".so", file + ".3.dylib", file + ".dylib"};
  if (!library.is_open()) return fftw;
  fftw.is_loaded = library.find(prefix + "_plan_guru64_dft", fftw.plan_dft) &&
                   library.find(prefix + "_plan_guru64_dft_r2c", fftw.plan_r2c) &&
                   library.find(prefix + "_plan_guru64_dft_c2r", fftw.plan_c2r) &&
                   library.find(prefix + "_plan_guru64_r2r", fftw.plan_r2r) &&
                   library.find(prefix + "_execute_dft", fftw.run_dft) &&
                   library.find(prefix + "_execute_dft_r2c", fftw.run_r2c) &&
                   library.find(prefix + "_execute_dft_c2r", fftw.run_c2r) &&
                   library.find(prefix + "_execute_r2r", fftw.run_r2r) &&
                   library.find(prefix + "_destroy_plan", fftw.destroy) &&
                   library.find(prefix + "_version", fftw.version);
  return fftw;
}

template <class Real>
const Fftw<Real>& fftw() {
  static const Fftw<Real> functions = load<Real>();
  return functions;
}

unsigned planner_flags(const LineBatch& batch) {
  unsigned flags = batch.effort == EngineEffort::estimate  ? Flags::estimate
                   : batch.effort == EngineEffort::measure ? Flags::measure
                                                           : Flags::patient;
  return flags | (batch.kind == LineKind::c2r ? destroy_input : preserve_input);
}

/// The digits say whether points, and whether waves, lie half a step from the walls.
R2rKind trigonometric_kind(LineKind kind) {
  const LineSum& sum = line_sum(kind);
  const int first = sum.wave == LineSum::Wave::cosine ? redft00 : rodft00;
  return static_cast<R2rKind>(first + (sum.a == 2 ? 2 : 0) + (sum.c == 2 ? 1 : 0));
}

template <class Real>
class FftwLines : public LineTransform {
  using Complex = typename Fftw<Real>::Complex;

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
    fftw<Real>().destroy(plan_);
  }
  FftwLines(const FftwLines&) = delete;
  FftwLines& operator=(const FftwLines&) = delete;

  void run(const void* input, void* output) const override {
    void* in = const_cast<void*>(input);  // FFTW's signature
    if (kind_ == LineKind::r2c)
      fftw<Real>().run_r2c(plan_, static_cast<Real*>(in), static_cast<Complex*>(output));
    else if (kind_ == LineKind::c2r)
      fftw<Real>().run_c2r(plan_, static_cast<Complex*>(in), static_cast<Real*>(output));
    else if (is_trigonometric(kind_))
      fftw<Real>().run_r2r(plan_, static_cast<Real*>(in), static_cast<Real*>(output));
    else
      fftw<Real>().run_dft(plan_, static_cast<Complex*>(in), static_cast<Complex*>(output));
  }

 private:
  static Plan make(const LineBatch& batch, void* in, void* out) {
    const Index components = batch.components;
    const Dimension line{batch.length, components, components};
    const Dimension many[2]{
        {batch.lines, batch.input_distance * components, batch.output_distance * components},
        {components, 1, 1}};
    const unsigned flags = planner_flags(batch);
    if (batch.kind == LineKind::r2c)
      return fftw<Real>().plan_r2c(1, &line, 1, many, static_cast<Real*>(in),
                                   static_cast<Complex*>(out), flags);
    if (batch.kind == LineKind::c2r)
      return fftw<Real>().plan_c2r(1, &line, 1, many, static_cast<Complex*>(in),
                                   static_cast<Real*>(out), flags);
    if (is_trigonometric(batch.kind)) {
      const auto kind = trigonometric_kind(batch.kind);
      return fftw<Real>().plan_r2r(1, &line, components == 2 ? 2 : 1, many, static_cast<Real*>(in),
                                   static_cast<Real*>(out), &kind, flags);
    }
    const int sign = batch.kind == LineKind::c2c_forward ? -1 : 1;
    return fftw<Real>().plan_dft(1, &line, 1, many, static_cast<Complex*>(in),
                                 static_cast<Complex*>(out), sign, flags);
  }

  LineKind kind_;
  Plan plan_;
};

/// FFTW has the DCT and DST whose logical length is even.
bool supports(LineKind kind, Precision precision) {
  if (is_trigonometric(kind) && line_sum(kind).more % 2 != 0) return false;
  return precision == Precision::double_ ? fftw<double>().is_loaded : fftw<float>().is_loaded;
}

std::unique_ptr<LineTransform> plan(const LineBatch& batch) {
  if (batch.precision == Precision::double_) return std::make_unique<FftwLines<double>>(batch);
  return std::make_unique<FftwLines<float>>(batch);
}

}  // namespace

Engine fftw_engine() {
  const char* const version =
      fftw<double>().is_loaded ? fftw<double>().version : fftw<float>().version;
  return {"fftw", version, supports, plan};
}

bool fftw_loads() { return fftw<double>().is_loaded || fftw<float>().is_loaded; }

}  // namespace weft
