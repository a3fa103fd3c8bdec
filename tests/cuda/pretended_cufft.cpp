// Stands in for cuFFT and CUDA's runtime library where there is no GPU: loaded before them, it lets
// `weft bench --against cufft` run on memory of the host, with FFTW, and the plugin's lines.
// Layouts, types and signs are those of cuFFT's manual.
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <fftw3.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace {

struct Plan {
  std::vector<int> shape;
  int batch = 1;
  int input_distance = 0, output_distance = 0;  // from one transform of the batch to the next
  cufftType type = CUFFT_Z2Z;
};

std::map<cufftHandle, Plan>& plans() {
  static std::map<cufftHandle, Plan> all;
  return all;
}

void run(fftw_plan plan) {
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}
void run(fftwf_plan plan) {
  fftwf_execute(plan);
  fftwf_destroy_plan(plan);
}

/// Plans for these arrays, which FFTW_ESTIMATE leaves as they are, and runs. `more`: the direction.
template <class Make, class In, class Out, class... More>
cufftResult run(cufftHandle handle, Make make, In* in, Out* out, More... more) {
  const Plan& plan = plans().at(handle);
  const auto made =
      make(static_cast<int>(plan.shape.size()), plan.shape.data(), plan.batch, in, nullptr, 1,
           plan.input_distance, out, nullptr, 1, plan.output_distance, more..., FFTW_ESTIMATE);
  if (made == nullptr) return CUFFT_EXEC_FAILED;
  run(made);
  return CUFFT_SUCCESS;
}

template <class To, class From>
To* as(From* data) {
  return reinterpret_cast<To*>(data);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  *memory = std::malloc(bytes);
  return *memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cufftResult cufftCreate(cufftHandle* handle) {
  *handle = static_cast<cufftHandle>(plans().size());
  plans()[*handle] = {};
  return CUFFT_SUCCESS;
}
cufftResult cufftMakePlanMany64(cufftHandle handle, int axes, long long* shape, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t* work) {
  Plan& plan = plans().at(handle);
  if (shape[0] < 1) return CUFFT_INVALID_SIZE;
  for (int axis = 0; axis < axes; ++axis) plan.shape.push_back(static_cast<int>(shape[axis]));
  plan.type = type;
  plan.batch = static_cast<int>(batch);
  if (batch > 1 && (inembed == nullptr || onembed == nullptr || istride != 1 || ostride != 1))
    return CUFFT_NOT_SUPPORTED;  // here
  plan.input_distance = static_cast<int>(idist);
  plan.output_distance = static_cast<int>(odist);
  *work = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle, cudaStream_t) { return CUFFT_SUCCESS; }
cufftResult cufftDestroy(cufftHandle) { return CUFFT_SUCCESS; }
cufftResult cufftGetVersion(int* version) {
  *version = 12345;
  return CUFFT_SUCCESS;
}

cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction) {
  return run(handle, fftw_plan_many_dft, as<fftw_complex>(in), as<fftw_complex>(out), direction);
}
cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return run(handle, fftw_plan_many_dft_r2c, in, as<fftw_complex>(out));
}
cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return run(handle, fftw_plan_many_dft_c2r, as<fftw_complex>(in), out);
}
cufftResult cufftExecC2C(cufftHandle handle, cufftComplex* in, cufftComplex* out, int direction) {
  return run(handle, fftwf_plan_many_dft, as<fftwf_complex>(in), as<fftwf_complex>(out), direction);
}
cufftResult cufftExecR2C(cufftHandle handle, cufftReal* in, cufftComplex* out) {
  return run(handle, fftwf_plan_many_dft_r2c, in, as<fftwf_complex>(out));
}
cufftResult cufftExecC2R(cufftHandle handle, cufftComplex* in, cufftReal* out) {
  return run(handle, fftwf_plan_many_dft_c2r, as<fftwf_complex>(in), out);
}

}  // extern "C"
