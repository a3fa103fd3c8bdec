// Both variants share two arrays. In place, MKL wants rows of real numbers as long as the
// spectrum's; out of place they are contiguous.
#include "bench/mkl_one_process.hpp"

#include <algorithm>

#include "bench/mkl_memory.hpp"

namespace weft::bench {
namespace {

struct Memory {
  MklBuffer first, second;
};

class Descriptor {
 public:
  explicit Descriptor(const Problem& problem) {
    const bool real = problem.real_input || problem.real_output;
    const Shape& shape = problem.physical_shape();
    std::vector<MKL_LONG> lengths(shape.begin(), shape.end());
    const auto precision = problem.precision == Precision::double_ ? DFTI_DOUBLE : DFTI_SINGLE;
    check_mkl(DftiCreateDescriptor(&handle_, precision, real ? DFTI_REAL : DFTI_COMPLEX,
                                   static_cast<MKL_LONG>(lengths.size()), lengths.data()),
              "DftiCreateDescriptor");
    if (real) set(DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { DftiFreeDescriptor(&handle_); }

  template <class Value>
  void set(DFTI_CONFIG_PARAM parameter, Value value) {
    check_mkl(DftiSetValue(handle_, parameter, value), "DftiSetValue");
  }
  void commit() { check_mkl(DftiCommitDescriptor(handle_), "DftiCommitDescriptor"); }
  DFTI_DESCRIPTOR_HANDLE handle() const { return handle_; }

 private:
  DFTI_DESCRIPTOR_HANDLE handle_ = nullptr;
};

class OneProcess final : public Candidate {
 public:
  OneProcess(const Problem& problem, bool in_place, std::shared_ptr<Memory> memory)
      : problem_(problem), in_place_(in_place), memory_(std::move(memory)), descriptor_(problem) {
    descriptor_.set(DFTI_PLACEMENT, in_place ? DFTI_INPLACE : DFTI_NOT_INPLACE);
    Field physical = input(), spectrum = output();
    if (problem.complex_to_real()) std::swap(physical, spectrum);
    descriptor_.set(DFTI_FWD_STRIDES, strides_for_mkl(physical).data());
    descriptor_.set(DFTI_BWD_STRIDES, strides_for_mkl(spectrum).data());
    descriptor_.commit();
  }

  std::string describe() const override {
    return std::string("one process, ") + (in_place_ ? "in place" : "out of place");
  }
  Field input() override { return field(memory_->first.get(), false); }
  Field output() override { return field(target(), true); }

  void run() override {
    void* const from = memory_->first.get();
    const auto compute = problem_.complex_to_real() ? DftiComputeBackward : DftiComputeForward;
    check_mkl(in_place_ ? compute(descriptor_.handle(), from)
                        : compute(descriptor_.handle(), from, target()),
              "DftiCompute");
  }

 private:
  void* target() const { return (in_place_ ? memory_->first : memory_->second).get(); }
  Field field(void* data, bool is_output) const {
    Field field = whole_field(problem_, data, is_output);
    const int last = field.box.axes() - 1;
    Index stride = 1;
    for (int axis = last; axis >= 0; --axis) {
      field.strides[axis] = stride;
      const bool is_padded = field.real && in_place_ && axis == last;
      stride *= is_padded ? 2 * problem_.spectral_shape()[last] : field.box.extent(axis);
    }
    return field;
  }
  /// An offset comes before the strides.
  static std::vector<MKL_LONG> strides_for_mkl(const Field& field) {
    std::vector<MKL_LONG> strides{0};
    strides.insert(strides.end(), field.strides.begin(), field.strides.end());
    return strides;
  }

  const Problem problem_;
  const bool in_place_;
  std::shared_ptr<Memory> memory_;
  Descriptor descriptor_;
};

}  // namespace

std::vector<std::unique_ptr<Candidate>> mkl_one_process_variants(const Problem& problem) {
  MKL_LONG elements = 1;
  for (const Index length : problem.spectral_shape()) elements *= length;
  const auto memory =
      std::make_shared<Memory>(Memory{allocate_with_mkl(elements), allocate_with_mkl(elements)});
  std::vector<std::unique_ptr<Candidate>> variants;
  for (const bool in_place : {true, false})
    variants.push_back(std::make_unique<OneProcess>(problem, in_place, memory));
  return variants;
}

}  // namespace weft::bench
