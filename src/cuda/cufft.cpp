// Declares the functions of cuFFT that are used as the manual of cuFFT 12 does:
// https://docs.nvidia.com/cuda/cufft/
#include "cuda/cufft.hpp"

#include <new>
#include <string>

#include "machine/opened_library.hpp"

namespace weft {
namespace {

using Status = int;  // cufftResult
constexpr Status succeeded = 0;
enum Type : int { r2c = 0x2a, c2r = 0x2c, c2c = 0x29, d2z = 0x6a, z2d = 0x6c, z2z = 0x69 };

struct Cufft {
  Status (*create)(int*);
  Status (*plan_many)(int, int, long long*, long long*, long long, long long, long long*, long long,
                      long long, int, long long, std::size_t*);
  Status (*set_stream)(int, cudaStream_t);
  Status (*destroy)(int);
  Status (*run_c2c)(int, void*, void*, int);
  Status (*run_r2c)(int, void*, void*);
  Status (*run_c2r)(int, void*, void*);
  Status (*run_z2z)(int, void*, void*, int);
  Status (*run_d2z)(int, void*, void*);
  Status (*run_z2d)(int, void*, void*);
};

Cufft load() {
  const std::string name = "libcufft.so." + std::to_string(CUDART_VERSION / 1000 - 1);
  const RequiredLibrary library(
      name,
      "cuFFT is needed for engine=library and for lines that are too long for a kernel (device=cpu "
      "can transform them)");
  Cufft cufft{};
  library.look_up("cufftCreate", cufft.create);
  library.look_up("cufftMakePlanMany64", cufft.plan_many);
  library.look_up("cufftSetStream", cufft.set_stream);
  library.look_up("cufftDestroy", cufft.destroy);
  library.look_up("cufftExecC2C", cufft.run_c2c);
  library.look_up("cufftExecR2C", cufft.run_r2c);
  library.look_up("cufftExecC2R", cufft.run_c2r);
  library.look_up("cufftExecZ2Z", cufft.run_z2z);
  library.look_up("cufftExecD2Z", cufft.run_d2z);
  library.look_up("cufftExecZ2D", cufft.run_z2d);
  return cufft;
}

const Cufft& cufft() {
  static const Cufft functions = load();
  return functions;
}

void require(Status status, const char* call) {
  if (status == succeeded) return;
  constexpr Status no_memory = 2;  // CUFFT_ALLOC_FAILED
  if (status == no_memory) throw std::bad_alloc();
  throw Error(std::string(call) + " failed with cufftResult " + std::to_string(status));
}

Type type_of(const LineBatch& batch) {
  const bool is_double = batch.precision == Precision::double_;
  if (batch.kind == LineKind::r2c) return is_double ? d2z : r2c;
  if (batch.kind == LineKind::c2r) return is_double ? z2d : c2r;
  return is_double ? z2z : c2c;
}

}  // namespace

CufftPlan::CufftPlan(const LineBatch& batch) : kind_(batch.kind), precision_(batch.precision) {
  require(cufft().create(&handle_), "cufftCreate");
  long long length = batch.length;
  // cuFFT ignores distances unless the storage of a line is given as well.
  long long input = batch.input_distance, output = batch.output_distance;
  std::size_t work = 0;
  const Status status = cufft().plan_many(handle_, 1, &length, &input, 1, input, &output, 1, output,
                                          type_of(batch), batch.lines, &work);
  if (status != succeeded) cufft().destroy(handle_);
  require(status, "cufftMakePlanMany64");
}

CufftPlan::~CufftPlan() { cufft().destroy(handle_); }

void CufftPlan::run(const void* input, void* output, cudaStream_t stream) const {
  void* const in = const_cast<void*>(input);
  const bool is_double = precision_ == Precision::double_;
  require(cufft().set_stream(handle_, stream), "cufftSetStream");
  if (kind_ == LineKind::r2c) {
    require((is_double ? cufft().run_d2z : cufft().run_r2c)(handle_, in, output), "cufftExecR2C");
  } else if (kind_ == LineKind::c2r) {
    require((is_double ? cufft().run_z2d : cufft().run_c2r)(handle_, in, output), "cufftExecC2R");
  } else {
    const int sign = kind_ == LineKind::c2c_forward ? -1 : 1;
    require((is_double ? cufft().run_z2z : cufft().run_c2c)(handle_, in, output, sign),
            "cufftExecC2C");
  }
}

}  // namespace weft
