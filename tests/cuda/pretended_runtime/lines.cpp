// Stands in for cuFFT on the pretended runtime: Weft's engine of the host transforms copies of the
// lines, in the order of the stream.
#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <mutex>

#include "engine/engine.hpp"

namespace {

using weft::LineBatch;
using weft::LineKind;

constexpr int succeeded = 0, invalid_plan = 1, failed = 6;
enum Type : int { r2c = 0x2a, c2r = 0x2c, c2c = 0x29, d2z = 0x6a, z2d = 0x6c, z2z = 0x69 };

/// Copies of a side's lines in pinned memory.
struct Side {
  std::size_t bytes = 0;
  void* lines = nullptr;
};

struct Plan {
  std::unique_ptr<weft::LineTransform> forward, backward;  // one of them unless it is c2c
  Side input, output;
  cudaStream_t stream = nullptr;
};

std::recursive_mutex mutex;  // of the plans

std::map<int, Plan>& plans() {
  static auto* const all = new std::map<int, Plan>;
  return *all;
}

struct Run {
  const weft::LineTransform& transform;
  const void* input;
  void* output;
};

int run(int handle, void* input, void* output, bool is_backward) {
  const std::lock_guard lock(mutex);
  const auto known = plans().find(handle);
  if (known == plans().end()) return invalid_plan;
  Plan& plan = known->second;
  const auto& transform = is_backward ? plan.backward : plan.forward;
  if (transform == nullptr) return failed;
  cudaMemcpyAsync(plan.input.lines, input, plan.input.bytes, cudaMemcpyDefault, plan.stream);
  const auto transform_copies = [](void* data) {
    const std::unique_ptr<const Run> one(static_cast<const Run*>(data));
    one->transform.run(one->input, one->output);
  };
  cudaLaunchHostFunc(plan.stream, transform_copies,
                     new Run{*transform, plan.input.lines, plan.output.lines});
  cudaMemcpyAsync(output, plan.output.lines, plan.output.bytes, cudaMemcpyDefault, plan.stream);
  if (plan.forward == nullptr)  // c2r may destroy its input
    cudaMemsetAsync(input, 0xff, plan.input.bytes, plan.stream);
  return succeeded;
}

}  // namespace

extern "C" {

int cufftCreate(int* handle) {
  const std::lock_guard lock(mutex);
  static int next = 0;
  *handle = ++next;
  plans()[*handle];
  return succeeded;
}

int cufftMakePlanMany64(int handle, int, long long* length, long long* inembed, long long,
                        long long input_distance, long long* onembed, long long,
                        long long output_distance, int type, long long lines, size_t* work) {
  if (inembed == nullptr || onembed == nullptr) return failed;  // cuFFT would ignore distances
  const std::lock_guard lock(mutex);
  Plan& plan = plans().at(handle);
  LineBatch batch;
  batch.precision = type >= z2z ? weft::Precision::double_ : weft::Precision::single_;
  batch.length = *length;
  batch.lines = lines;
  batch.input_distance = input_distance;
  batch.output_distance = output_distance;
  const auto make = [&](LineKind kind) {
    batch.kind = kind;
    return weft::find_engine("weft").plan(batch);
  };
  const bool from_reals = type == r2c || type == d2z, to_reals = type == c2r || type == z2d;
  if (from_reals) plan.forward = make(LineKind::r2c);
  if (to_reals) plan.backward = make(LineKind::c2r);
  if (!from_reals && !to_reals) {
    plan.forward = make(LineKind::c2c_forward);
    plan.backward = make(LineKind::c2c_backward);
  }
  const std::size_t real = batch.precision == weft::Precision::double_ ? 8 : 4;
  const auto lines_bytes = [&](bool are_real, long long distance) {
    return static_cast<std::size_t>(lines * distance) * real * (are_real ? 1 : 2);
  };
  plan.input.bytes = lines_bytes(from_reals, input_distance);
  plan.output.bytes = lines_bytes(to_reals, output_distance);
  for (Side* const side : {&plan.input, &plan.output})
    cudaHostAlloc(&side->lines, side->bytes, cudaHostAllocDefault);
  *work = 0;
  return succeeded;
}

int cufftSetStream(int handle, cudaStream_t stream) {
  const std::lock_guard lock(mutex);
  plans().at(handle).stream = stream;
  return succeeded;
}
int cufftDestroy(int handle) {
  const std::lock_guard lock(mutex);
  const auto known = plans().find(handle);
  if (known == plans().end()) return invalid_plan;
  for (const Side& side : {known->second.input, known->second.output}) cudaFreeHost(side.lines);
  plans().erase(known);
  return succeeded;
}

int cufftExecC2C(int handle, void* input, void* output, int sign) {
  return run(handle, input, output, sign > 0);
}
int cufftExecZ2Z(int handle, void* input, void* output, int sign) {
  return run(handle, input, output, sign > 0);
}
int cufftExecR2C(int handle, void* input, void* output) {
  return run(handle, input, output, false);
}
int cufftExecD2Z(int handle, void* input, void* output) {
  return run(handle, input, output, false);
}
int cufftExecC2R(int handle, void* input, void* output) { return run(handle, input, output, true); }
int cufftExecZ2D(int handle, void* input, void* output) { return run(handle, input, output, true); }

}  // extern "C"
