// Stands in for hipFFT, on the pretended cuFFT: its plans are pointers.
#include <cstddef>
#include <cstdint>

extern "C" {

int cufftCreate(int*);
int cufftMakePlanMany64(int, int, long long*, long long*, long long, long long, long long*,
                        long long, long long, int, long long, std::size_t*);
int cufftSetStream(int, void*);
int cufftDestroy(int);
int cufftExecC2C(int, void*, void*, int);
int cufftExecZ2Z(int, void*, void*, int);
int cufftExecR2C(int, void*, void*);
int cufftExecD2Z(int, void*, void*);
int cufftExecC2R(int, void*, void*);
int cufftExecZ2D(int, void*, void*);

static int number_of(void* plan) { return static_cast<int>(reinterpret_cast<std::intptr_t>(plan)); }

int hipfftCreate(void** plan) {
  int number = 0;
  const int status = cufftCreate(&number);
  *plan = reinterpret_cast<void*>(static_cast<std::intptr_t>(number));
  return status;
}
int hipfftMakePlanMany64(void* plan, int rank, long long* length, long long* inembed,
                         long long input_stride, long long input_distance, long long* onembed,
                         long long output_stride, long long output_distance, int type,
                         long long lines, std::size_t* work) {
  return cufftMakePlanMany64(number_of(plan), rank, length, inembed, input_stride, input_distance,
                             onembed, output_stride, output_distance, type, lines, work);
}
int hipfftSetStream(void* plan, void* stream) { return cufftSetStream(number_of(plan), stream); }
int hipfftDestroy(void* plan) { return cufftDestroy(number_of(plan)); }
int hipfftExecC2C(void* plan, void* input, void* output, int sign) {
  return cufftExecC2C(number_of(plan), input, output, sign);
}
int hipfftExecZ2Z(void* plan, void* input, void* output, int sign) {
  return cufftExecZ2Z(number_of(plan), input, output, sign);
}
int hipfftExecR2C(void* plan, void* input, void* output) {
  return cufftExecR2C(number_of(plan), input, output);
}
int hipfftExecD2Z(void* plan, void* input, void* output) {
  return cufftExecD2Z(number_of(plan), input, output);
}
int hipfftExecC2R(void* plan, void* input, void* output) {
  return cufftExecC2R(number_of(plan), input, output);
}
int hipfftExecZ2D(void* plan, void* input, void* output) {
  return cufftExecZ2D(number_of(plan), input, output);
}

}  // extern "C"
