// cuFFT on the GPU of a single rank, in place and out of place. Both variants share two arrays of
// the GPU; who fills or compares them sees copies on the host.
#include <cuda_runtime_api.h>
#include <cufft.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "bench/candidate.hpp"

namespace weft::bench {
namespace {

void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess) throw Error(std::string(call) + ": " + cudaGetErrorString(status));
}

void check(cufftResult status, const char* call) {
  if (status != CUFFT_SUCCESS)
    throw Error(std::string(call) + " failed (status " + std::to_string(status) + ")");
}

class GpuBuffer {
 public:
  explicit GpuBuffer(std::size_t bytes) { check(cudaMalloc(&memory_, bytes), "cudaMalloc"); }
  ~GpuBuffer() { cudaFree(memory_); }
  GpuBuffer(const GpuBuffer&) = delete;
  GpuBuffer& operator=(const GpuBuffer&) = delete;
  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

/// An array as cuFFT lays it out: the last axis is the fastest, and real rows that are transformed
/// in place have room for the spectrum's.
struct ArrayShape {
  Shape shape;
  bool real = false;
  Index row = 0;  ///< elements from one row to the next
  Precision precision = Precision::double_;

  std::size_t bytes() const {
    const std::size_t number = precision == Precision::double_ ? sizeof(double) : sizeof(float);
    std::size_t elements = static_cast<std::size_t>(row);
    for (int axis = 0; axis + 1 < shape.size(); ++axis)
      elements *= static_cast<std::size_t>(shape[axis]);
    return elements * number * (real ? 1 : 2);
  }
};

ArrayShape array_of(const Problem& problem, bool is_output, bool in_place) {
  ArrayShape array;
  array.shape = is_output ? problem.output_shape : problem.input_shape;
  array.real = is_output ? problem.real_output : problem.real_input;
  array.precision = problem.precision;
  const int last = array.shape.size() - 1;
  array.row = array.real && in_place ? 2 * problem.spectral_shape()[last] : array.shape[last];
  return array;
}

class Handle {
 public:
  Handle(const Problem& problem, cufftType type) {
    check(cufftCreate(&handle_), "cufftCreate");
    const Shape& shape = problem.physical_shape();
    std::vector<long long> lengths(shape.begin(), shape.end());
    std::size_t work = 0;
    check(cufftMakePlanMany64(handle_, static_cast<int>(lengths.size()), lengths.data(), nullptr, 1,
                              0, nullptr, 1, 0, type, 1, &work),
          "cufftMakePlanMany64");
  }
  ~Handle() { cufftDestroy(handle_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  cufftHandle get() const { return handle_; }

 private:
  cufftHandle handle_ = 0;
};

/// cuFFT's name of a transform, and the call that runs it.
struct TypeEntry {
  Precision precision;
  bool real_input, real_output;
  cufftType type;
  cufftResult (*run)(cufftHandle, void*, void*);
};

constexpr TypeEntry types[] = {
    {Precision::double_, false, false, CUFFT_Z2Z,
     [](cufftHandle handle, void* in, void* out) {
       return cufftExecZ2Z(handle, static_cast<cufftDoubleComplex*>(in),
                           static_cast<cufftDoubleComplex*>(out), CUFFT_FORWARD);
     }},
    {Precision::double_, true, false, CUFFT_D2Z,
     [](cufftHandle handle, void* in, void* out) {
       return cufftExecD2Z(handle, static_cast<double*>(in), static_cast<cufftDoubleComplex*>(out));
     }},
    {Precision::double_, false, true, CUFFT_Z2D,
     [](cufftHandle handle, void* in, void* out) {
       return cufftExecZ2D(handle, static_cast<cufftDoubleComplex*>(in), static_cast<double*>(out));
     }},
    {Precision::single_, false, false, CUFFT_C2C,
     [](cufftHandle handle, void* in, void* out) {
       return cufftExecC2C(handle, static_cast<cufftComplex*>(in), static_cast<cufftComplex*>(out),
                           CUFFT_FORWARD);
     }},
    {Precision::single_, true, false, CUFFT_R2C,
     [](cufftHandle handle, void* in, void* out) {
       return cufftExecR2C(handle, static_cast<float*>(in), static_cast<cufftComplex*>(out));
     }},
    {Precision::single_, false, true, CUFFT_C2R, [](cufftHandle handle, void* in, void* out) {
       return cufftExecC2R(handle, static_cast<cufftComplex*>(in), static_cast<float*>(out));
     }}};

const TypeEntry& type_of(const Problem& problem) {
  return *std::ranges::find_if(types, [&](const TypeEntry& entry) {
    return entry.precision == problem.precision && entry.real_input == problem.real_input &&
           entry.real_output == problem.real_output;
  });
}

/// Used by both variants.
struct Shared {
  Shared(const Problem& problem, std::size_t bytes)
      : entry(type_of(problem)), plan(problem, entry.type), first(bytes), second(bytes) {}

  const TypeEntry& entry;
  Handle plan;
  GpuBuffer first, second;
};

class CufftCandidate final : public Candidate {
 public:
  CufftCandidate(const Problem& problem, bool in_place, std::shared_ptr<const Shared> shared)
      : problem_(problem),
        in_place_(in_place),
        shared_(std::move(shared)),
        in_(array_of(problem, false, in_place).bytes()),
        out_(array_of(problem, true, in_place).bytes()) {}

  std::string describe() const override { return in_place_ ? "in place" : "out of place"; }
  Field input() override {
    may_be_filled_ = true;
    return field(in_.data(), false);
  }
  Field output() override {
    check(cudaMemcpy(out_.data(), target(), out_.size(), cudaMemcpyDefault), "cudaMemcpy");
    return field(out_.data(), true);
  }
  void prepare() override {
    if (may_be_filled_)
      check(cudaMemcpy(shared_->first.get(), in_.data(), in_.size(), cudaMemcpyDefault),
            "cudaMemcpy");
    may_be_filled_ = false;
  }
  void run() override {
    prepare();
    check(shared_->entry.run(shared_->plan.get(), shared_->first.get(), target()), "cufftExec");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

 private:
  void* target() const { return (in_place_ ? shared_->first : shared_->second).get(); }
  Field field(void* data, bool is_output) const {
    Field field = whole_field(problem_, data, is_output);
    const ArrayShape array = array_of(problem_, is_output, in_place_);
    Index stride = 1;
    for (int axis = array.shape.size() - 1; axis >= 0; --axis) {
      field.strides[axis] = stride;
      stride *= axis == array.shape.size() - 1 ? array.row : array.shape[axis];
    }
    return field;
  }

  Problem problem_;
  bool in_place_;
  std::shared_ptr<const Shared> shared_;
  std::vector<std::byte> in_, out_;
  bool may_be_filled_ = false;
};

/// The number in "cuda:N"; for "cuda" the thread's own.
void use_device(const std::string& name) {
  const std::string kind = "cuda";
  if (name == kind) return;
  int number = 0;
  const char* const end = name.data() + name.size();
  const bool is_numbered = name.starts_with(kind + ":");
  if (!is_numbered || std::from_chars(name.data() + kind.size() + 1, end, number).ptr != end)
    throw Error("it runs on a GPU of NVIDIA: valid with --device cuda and cuda:N");
  check(cudaSetDevice(number), "cudaSetDevice");
}

void check_that_cufft_can(const Problem& problem) {
  if (problem.ranks() > 1) throw Error("it runs on one rank's GPU: start one rank");
  if (problem.real_to_real()) throw Error("it has no DCT and no DST");
  if (problem.physical_shape().size() > 3) throw Error("it transforms one to three axes");
  if (std::ranges::count(problem.kinds, Kind::none) > 0)
    throw Error("a comparison where some axes are not transformed is not supported");
}

}  // namespace

extern "C" [[gnu::visibility("default")]] void weft_bench_rival(const Problem& problem,
                                                                Rival& rival) {
  check_that_cufft_can(problem);
  use_device(problem.device);
  int version = 0;
  check(cufftGetVersion(&version), "cufftGetVersion");
  rival.version = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 100);
  std::size_t bytes = 0;
  for (const bool is_output : {false, true})
    bytes = std::max(bytes, array_of(problem, is_output, true).bytes());
  const auto shared = std::make_shared<const Shared>(problem, bytes);
  for (const bool in_place : {true, false})
    rival.candidates.push_back(std::make_unique<CufftCandidate>(problem, in_place, shared));
}

}  // namespace weft::bench
