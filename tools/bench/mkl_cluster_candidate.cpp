// MKL's cluster FFT at its best: in place (with a workspace allocated here) and out of place, with
// output in natural order or, where the comparison allows it, transposed. These variants share
// three arrays. On one rank the FFT without the cluster layer runs beside them.
#include <mkl_cdft.h>
#include <mkl_service.h>
#include <omp.h>

#include <algorithm>

#include "bench/candidate.hpp"
#include "bench/mkl_memory.hpp"
#include "bench/mkl_one_process.hpp"

namespace weft::bench {
namespace {

struct Variant {
  bool in_place;
  bool transposed;
};

// One variant's data on this rank.
struct Slabs {
  MKL_LONG elements = 0, lower_in = 0, count_in = 0, lower_out = 0, count_out = 0;
};

class Descriptor {
 public:
  Descriptor(const Problem& problem, const Variant& variant) {
    const bool real = problem.real_input || problem.real_output;
    const Shape& shape = problem.physical_shape();
    std::vector<MKL_LONG> lengths(shape.begin(), shape.end());
    const auto precision = problem.precision == Precision::double_ ? DFTI_DOUBLE : DFTI_SINGLE;
    check_mkl(DftiCreateDescriptorDM(problem.communicator, &handle_, precision,
                                     real ? DFTI_REAL : DFTI_COMPLEX,
                                     static_cast<MKL_LONG>(lengths.size()), lengths.data()),
              "DftiCreateDescriptorDM");
    set(DFTI_PLACEMENT, variant.in_place ? DFTI_INPLACE : DFTI_NOT_INPLACE);
    set(DFTI_TRANSPOSE, variant.transposed ? DFTI_ALLOW : DFTI_NONE);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { DftiFreeDescriptorDM(&handle_); }

  template <class Value>
  void set(int parameter, Value value) {
    check_mkl(DftiSetValueDM(handle_, parameter, value), "DftiSetValueDM");
  }
  Slabs slabs() const {
    return {get(CDFT_LOCAL_SIZE), get(CDFT_LOCAL_X_START), get(CDFT_LOCAL_NX),
            get(CDFT_LOCAL_OUT_X_START), get(CDFT_LOCAL_OUT_NX)};
  }
  void commit() { check_mkl(DftiCommitDescriptorDM(handle_), "DftiCommitDescriptorDM"); }
  DFTI_DESCRIPTOR_DM_HANDLE handle() const { return handle_; }

 private:
  MKL_LONG get(int parameter) const {
    MKL_LONG value = 0;
    check_mkl(DftiGetValueDM(handle_, parameter, &value), "DftiGetValueDM");
    return value;
  }

  DFTI_DESCRIPTOR_DM_HANDLE handle_ = nullptr;
};

// MKL's slabs: axis 0 is split; on the transposed side axis 1 is, with axis 0 the fastest in
// memory. Real rows are padded to the length of the spectrum's, also out of place.
Field field_of(const Problem& problem, void* data, bool is_output, bool transposed, MKL_LONG lower,
               MKL_LONG count) {
  const Shape& spectrum = problem.spectral_shape();
  const int last = spectrum.size() - 1;
  Field field = whole_field(problem, data, is_output);
  const int split = transposed ? 1 : 0;
  field.box.lower[split] = lower;
  field.box.upper[split] = lower + count;
  Index stride = transposed ? spectrum[0] : 1;
  for (int axis = last; axis >= split; --axis) {
    field.strides[axis] = stride;
    stride *= field.real && axis == last ? 2 * spectrum[axis] : spectrum[axis];
  }
  return field;
}

// Shared by all variants; the workspace is for those in place.
struct Memory {
  MklBuffer first, second, workspace;
};

class MklCandidate final : public Candidate {
 public:
  MklCandidate(const Problem& problem, const Variant& variant)
      : problem_(problem), variant_(variant), descriptor_(problem, variant) {}

  MKL_LONG elements() const { return descriptor_.slabs().elements; }
  void use(std::shared_ptr<Memory> memory) {
    memory_ = std::move(memory);
    if (variant_.in_place) descriptor_.set(CDFT_WORKSPACE, memory_->workspace.get());
    descriptor_.commit();
    slabs_ = descriptor_.slabs();
  }

  std::string describe() const override {
    return std::string(variant_.in_place ? "in place" : "out of place") +
           (variant_.transposed ? ", transposed" : ", natural order");
  }

  // The descriptor's `in` side is the real array, if there is one: backward's output.
  Field input() override { return field(memory_->first.get(), !problem_.complex_to_real(), false); }
  Field output() override { return field(target(), problem_.complex_to_real(), true); }

  void run() override {
    void* const from = memory_->first.get();
    if (problem_.complex_to_real()) {
      check_mkl(variant_.in_place ? DftiComputeBackwardDM(descriptor_.handle(), from)
                                  : DftiComputeBackwardDM(descriptor_.handle(), from, target()),
                "DftiComputeBackwardDM");
    } else {
      check_mkl(variant_.in_place ? DftiComputeForwardDM(descriptor_.handle(), from)
                                  : DftiComputeForwardDM(descriptor_.handle(), from, target()),
                "DftiComputeForwardDM");
    }
  }

 private:
  void* target() const { return (variant_.in_place ? memory_->first : memory_->second).get(); }
  Field field(void* data, bool physical, bool is_output) const {
    if (physical)
      return field_of(problem_, data, is_output, false, slabs_.lower_in, slabs_.count_in);
    return field_of(problem_, data, is_output, variant_.transposed, slabs_.lower_out,
                    slabs_.count_out);
  }

  const Problem problem_;
  const Variant variant_;
  Descriptor descriptor_;
  Slabs slabs_;
  std::shared_ptr<Memory> memory_;
};

std::vector<std::unique_ptr<MklCandidate>> all_variants(const Problem& problem) {
  std::vector<std::unique_ptr<MklCandidate>> variants;
  for (const bool transposed : {false, true})
    for (const bool in_place : {true, false})
      if (problem.transposed || !transposed)
        variants.push_back(std::make_unique<MklCandidate>(problem, Variant{in_place, transposed}));
  return variants;
}

void check_that_mkl_can(const Problem& problem) {
  if (problem.real_to_real()) throw Error("MKL has no DCT and no DST");
  if (problem.physical_shape().size() < 2)
    throw Error("a comparison in one dimension is not supported");
  if (std::ranges::count(problem.kinds, Kind::none) > 0)
    throw Error("a comparison where some axes are not transformed is not supported");
  mkl_set_dynamic(0);  // MKL's own choice is at most one thread for each core that it detects
  mkl_set_num_threads(problem.threads);
  omp_set_num_threads(problem.threads);  // for the cluster layer, which does not ask MKL
  if (mkl_get_max_threads() < problem.threads)
    throw Error("it was built with MKL's sequential layer, so it cannot run " +
                std::to_string(problem.threads) + " threads per rank");
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void weft_bench_rival(const Problem& problem,
                                                                Rival& rival) {
  check_that_mkl_can(problem);
  MKLVersion version;
  mkl_get_version(&version);
  rival.version =
      std::to_string(version.MajorVersion) + "." + std::to_string(version.UpdateVersion);
  auto variants = all_variants(problem);
  MKL_LONG elements = 1;
  for (const auto& variant : variants) elements = std::max(elements, variant->elements());
  const auto memory = std::make_shared<Memory>(Memory{
      allocate_with_mkl(elements), allocate_with_mkl(elements), allocate_with_mkl(elements)});
  for (auto& variant : variants) {
    variant->use(memory);
    rival.candidates.push_back(std::move(variant));
  }
  if (problem.ranks() == 1)
    for (auto& variant : mkl_one_process_variants(problem))
      rival.candidates.push_back(std::move(variant));
}

}  // namespace weft::bench
