// FFTW-MPI at its best: in and out of place, FFTW_MEASURE and FFTW_PATIENT. All variants are
// planned here; measuring finds the fastest. They share two arrays, to save memory.
#include <dlfcn.h>
#include <fftw3-mpi.h>

#include <algorithm>
#include <complex>
#include <new>
#include <type_traits>

#include "bench/candidate.hpp"

// FFTW's threads are in a separate library, which may be missing: then these are null.
extern "C" {
[[gnu::weak]] int fftw_init_threads();
[[gnu::weak]] void fftw_plan_with_nthreads(int);
[[gnu::weak]] int fftwf_init_threads();
[[gnu::weak]] void fftwf_plan_with_nthreads(int);
}

namespace weft::bench {
namespace {

template <class Real, class OfDouble, class OfFloat>
constexpr auto choose(OfDouble of_double, OfFloat of_float) {
  if constexpr (std::is_same_v<Real, double>) return of_double;
  if constexpr (std::is_same_v<Real, float>) return of_float;
}

/// FFTW's functions for one precision.
template <class Number>
struct Fftw {
  using Real = Number;
  using Complex = Number[2];
  static constexpr auto init = choose<Real>(fftw_mpi_init, fftwf_mpi_init);
  static constexpr auto local_size =
      choose<Real>(fftw_mpi_local_size_many_transposed, fftwf_mpi_local_size_many_transposed);
  static constexpr auto local_size_1d =
      choose<Real>(fftw_mpi_local_size_1d, fftwf_mpi_local_size_1d);
  static constexpr auto plan_1d = choose<Real>(fftw_mpi_plan_dft_1d, fftwf_mpi_plan_dft_1d);
  static constexpr auto plan_c2c = choose<Real>(fftw_mpi_plan_many_dft, fftwf_mpi_plan_many_dft);
  static constexpr auto plan_r2c =
      choose<Real>(fftw_mpi_plan_many_dft_r2c, fftwf_mpi_plan_many_dft_r2c);
  static constexpr auto plan_c2r =
      choose<Real>(fftw_mpi_plan_many_dft_c2r, fftwf_mpi_plan_many_dft_c2r);
  static constexpr auto plan_r2r = choose<Real>(fftw_mpi_plan_many_r2r, fftwf_mpi_plan_many_r2r);
  static constexpr auto execute = choose<Real>(fftw_execute, fftwf_execute);
  static constexpr auto destroy = choose<Real>(fftw_destroy_plan, fftwf_destroy_plan);
  static constexpr auto allocate = choose<Real>(fftw_alloc_real, fftwf_alloc_real);
  static constexpr auto release = choose<Real>(fftw_free, fftwf_free);
  using Plan = decltype(choose<Real>(fftw_plan(), fftwf_plan()));
  static auto init_threads() { return choose<Real>(fftw_init_threads, fftwf_init_threads); }
  static void use_threads(int threads) {
    choose<Real>(fftw_plan_with_nthreads, fftwf_plan_with_nthreads)(threads);
  }
  static const char* version() { return choose<Real>(fftw_version, fftwf_version); }
};

// FFTW's slabs: axis 0 is split; on the transposed side axis 1 is, with both swapped in memory. If
// the other side is a half spectrum, the rows of the real array are padded to its length. A single
// axis is split on both sides.
struct Slabs {
  ptrdiff_t elements = 0;  ///< to be allocated, in elements of the spectrum
  ptrdiff_t count_0 = 0, lower_0 = 0;
  ptrdiff_t count_1 = 0, lower_1 = 0;  ///< of axis 1, or of the output of a single axis

  Field field(const Problem& problem, void* data, bool is_output, bool transposed) const {
    const Shape& spectrum = problem.spectral_shape();
    const int last = spectrum.size() - 1;
    Field field = whole_field(problem, data, is_output);
    const int split = transposed ? 1 : 0;
    const bool is_second = transposed || (last == 0 && is_output);
    field.box.lower[split] = is_second ? lower_1 : lower_0;
    field.box.upper[split] = field.box.lower[split] + (is_second ? count_1 : count_0);
    for (int axis = last - 1; axis >= 0; --axis)
      field.strides[axis] = field.strides[axis + 1] * spectrum[axis + 1];
    if (field.real && !problem.real_to_real())
      for (int axis = 0; axis < last; ++axis) field.strides[axis] *= 2;
    if (transposed) {
      field.strides[0] = field.strides[1];
      field.strides[1] = field.strides[0] * spectrum[0];
    }
    return field;
  }
};

template <class Api>
Slabs slabs_of(const Problem& problem) {
  Slabs slabs;
  const Shape& spectrum = problem.spectral_shape();
  if (spectrum.size() == 1)
    slabs.elements =
        Api::local_size_1d(spectrum[0], problem.communicator, FFTW_FORWARD, 0, &slabs.count_0,
                           &slabs.lower_0, &slabs.count_1, &slabs.lower_1);
  else
    slabs.elements = Api::local_size(spectrum.size(), spectrum.begin(), 1, FFTW_MPI_DEFAULT_BLOCK,
                                     FFTW_MPI_DEFAULT_BLOCK, problem.communicator, &slabs.count_0,
                                     &slabs.lower_0, &slabs.count_1, &slabs.lower_1);
  return slabs;
}

template <class Api>
std::shared_ptr<typename Api::Real> allocate(const Slabs& slabs) {
  const auto reals = static_cast<std::size_t>(std::max<ptrdiff_t>(2 * slabs.elements, 1));
  std::shared_ptr<typename Api::Real> memory(Api::allocate(reals), Api::release);
  if (!memory) throw std::bad_alloc();
  return memory;
}

std::vector<fftw_r2r_kind> real_kinds(const Problem& problem) {
  constexpr fftw_r2r_kind names[] = {FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11,
                                     FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
  std::vector<fftw_r2r_kind> kinds;
  for (const Kind kind : problem.kinds)
    kinds.push_back(names[static_cast<int>(kind) - static_cast<int>(Kind::dct1)]);
  return kinds;
}

template <class Api>
typename Api::Plan plan_with(const Problem& problem, typename Api::Real* in,
                             typename Api::Real* out, unsigned flags) {
  const int axes = problem.physical_shape().size();
  const ptrdiff_t* lengths = problem.physical_shape().begin();
  constexpr ptrdiff_t block = FFTW_MPI_DEFAULT_BLOCK;
  auto* complex_in = reinterpret_cast<typename Api::Complex*>(in);
  auto* complex_out = reinterpret_cast<typename Api::Complex*>(out);
  const MPI_Comm communicator = problem.communicator;
  if (axes == 1)
    return Api::plan_1d(lengths[0], complex_in, complex_out, communicator, FFTW_FORWARD, flags);
  if (problem.real_to_real())
    return Api::plan_r2r(axes, lengths, 1, block, block, in, out, communicator,
                         real_kinds(problem).data(), flags);
  if (problem.real_input)
    return Api::plan_r2c(axes, lengths, 1, block, block, in, complex_out, communicator, flags);
  if (problem.real_output)
    return Api::plan_c2r(axes, lengths, 1, block, block, complex_in, out, communicator, flags);
  return Api::plan_c2c(axes, lengths, 1, block, block, complex_in, complex_out, communicator,
                       FFTW_FORWARD, flags);
}

struct Variant {
  bool in_place;
  bool transposed;
  bool patient;
};

template <class Api>
class FftwCandidate final : public Candidate {
 public:
  using Memory = std::shared_ptr<typename Api::Real>;

  FftwCandidate(const Problem& problem, const Slabs& slabs, Memory in, Memory out,
                const Variant& variant)
      : problem_(problem),
        slabs_(slabs),
        in_(std::move(in)),
        out_(std::move(out)),
        variant_(variant) {
    const unsigned effort = variant.patient ? FFTW_PATIENT : FFTW_MEASURE;
    const unsigned transposed =
        problem.complex_to_real() ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
    const unsigned layout = variant.transposed ? transposed : 0;
    plan_ = plan_with<Api>(problem, in_.get(), out_.get(), effort | layout | FFTW_DESTROY_INPUT);
  }
  FftwCandidate(const FftwCandidate&) = delete;
  FftwCandidate& operator=(const FftwCandidate&) = delete;
  ~FftwCandidate() override {
    if (plan_ != nullptr) Api::destroy(plan_);
  }

  bool planned() const { return plan_ != nullptr; }
  std::string describe() const override {
    return std::string(variant_.in_place ? "in place" : "out of place") +
           (variant_.transposed ? ", transposed" : "") +
           (variant_.patient ? ", PATIENT" : ", MEASURE");
  }
  Field input() override {
    return slabs_.field(problem_, in_.get(), false,
                        variant_.transposed && problem_.complex_to_real());
  }
  Field output() override {
    return slabs_.field(problem_, out_.get(), true,
                        variant_.transposed && !problem_.complex_to_real());
  }
  void run() override { Api::execute(plan_); }

 private:
  const Problem problem_;
  const Slabs slabs_;
  const Memory in_, out_;
  const Variant variant_;
  typename Api::Plan plan_ = nullptr;
};

template <class Api>
void prepare_threads(int threads) {
  static const bool ready = Api::init_threads() != nullptr && Api::init_threads()() != 0;
  if (!ready && threads > 1)
    throw Error("it was built without libfftw3_omp, so it cannot run " + std::to_string(threads) +
                " threads per rank");
  Api::init();  // after the threads, as FFTW's manual asks
  if (ready) Api::use_threads(threads);
}

template <class Api>
void plan_all(const Problem& problem, Rival& rival) {
  prepare_threads<Api>(problem.threads);
  rival.version = Api::version();
  const Slabs slabs = slabs_of<Api>(problem);
  const auto first = allocate<Api>(slabs);
  const auto second = allocate<Api>(slabs);
  for (const bool patient : {false, true})
    for (const bool in_place : {true, false}) {
      if (patient && !problem.patient) continue;
      const bool transposed = problem.transposed && problem.input_shape.size() > 1;
      const Variant variant{in_place, transposed, patient};
      auto candidate = std::make_unique<FftwCandidate<Api>>(problem, slabs, first,
                                                            in_place ? first : second, variant);
      if (candidate->planned()) rival.candidates.push_back(std::move(candidate));
    }
  if (Api::init_threads() != nullptr)
    Api::use_threads(1);  // FFTW's setting is global: restore it for the rest of this process
  if (rival.candidates.empty()) throw Error("FFTW-MPI made no plan for such a transform");
}

// MKL exports FFTW's names; if MKL had been loaded first, its plans would pass for FFTW's.
void check_that_fftw_is_fftw() {
  Dl_info found{};
  dladdr(reinterpret_cast<void*>(&fftw_execute), &found);
  const std::string file = found.dli_fname != nullptr ? found.dli_fname : "";
  if (file.find("mkl") != std::string::npos)
    throw Error("the name fftw_execute leads to " + file + " instead of FFTW");
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void weft_bench_rival(const Problem& problem,
                                                                Rival& rival) {
  check_that_fftw_is_fftw();
  const bool is_complex = !problem.real_input && !problem.real_output;
  if (problem.input_shape.size() == 1 && !is_complex)
    throw Error("FFTW-MPI transforms a single axis of complex numbers only");
  if (std::ranges::count(problem.kinds, Kind::none) > 0)
    throw Error("a comparison where some axes are not transformed is not supported");
  if (problem.precision == Precision::double_)
    plan_all<Fftw<double>>(problem, rival);
  else
    plan_all<Fftw<float>>(problem, rival);
}

}  // namespace weft::bench
