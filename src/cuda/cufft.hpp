// cuFFT, for lines that are too long for Weft's kernels.
#pragma once

#include <cuda_runtime_api.h>

#include "engine/engine.hpp"

namespace weft {

/// A batch of lines, planned for the thread's current GPU.
class CufftPlan {
 public:
  /// Throws an Error if there is no cuFFT, or if it refuses.
  explicit CufftPlan(const LineBatch& batch);
  ~CufftPlan();
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  /// Puts the transform on the stream. c2r destroys its input.
  void run(const void* input, void* output, cudaStream_t stream) const;

 private:
  LineKind kind_;
  Precision precision_;
  int handle_ = 0;
};

}  // namespace weft
