// A stream of CUDA. The one for passes waits for the legacy default stream and is waited for by it:
// so calls of Weft are in order with what callers put there, as CuPy and PyTorch do unless told
// otherwise. Streams for copies wait only for other streams of the plan.
#pragma once

#include "backend/stream.hpp"
#include "cuda/cuda_call.hpp"

namespace weft {

class CudaMark : public Mark {
 public:
  /// Marks the end of what that stream holds now.
  CudaMark(std::shared_ptr<const CudaContext> context, cudaStream_t stream);
  ~CudaMark() override;
  CudaMark(const CudaMark&) = delete;
  CudaMark& operator=(const CudaMark&) = delete;

  bool is_over() const override;
  /// Makes later work on that stream wait for the mark.
  void delay(cudaStream_t stream) const;

 private:
  std::shared_ptr<const CudaContext> context_;
  cudaEvent_t event_ = nullptr;
};

class CudaStream : public Stream {
 public:
  /// `flags`: of cudaStreamCreateWithFlags.
  explicit CudaStream(std::shared_ptr<const CudaContext> context,
                      unsigned flags = cudaStreamDefault);
  ~CudaStream() override;
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  void copy(void* to, const void* from, std::size_t bytes) override;
  SharedMark mark() override;
  void wait_for(const Mark& mark) override;
  void synchronize() override;
  cudaStream_t get() const { return current_; }

  /// What follows goes on that stream of the caller's, after what has been put here. It must exist
  /// until another one is used.
  void use(cudaStream_t of_caller);
  void use_own() { use(own_); }
  /// What follows happens after what that stream holds now.
  void wait_for(cudaStream_t of_caller);

 private:
  std::shared_ptr<const CudaContext> context_;
  cudaStream_t own_ = nullptr;
  cudaStream_t current_ = nullptr;  // its own or one of the caller's
};

}  // namespace weft
