// A stream of CUDA. The stream of passes and the legacy default stream wait for each other, so
// calls of Weft are in order with callers' work there; CuPy and PyTorch use it by default. Streams
// for copies wait only for other streams of the plan.
#pragma once

#include "backend/stream.hpp"
#include "cuda/cuda_call.hpp"

namespace weft {

class CudaMark : public Mark {
 public:
  /// Marks the end of the work that the stream holds now.
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

  /// Puts later work on the caller's stream, behind the work that is here. The caller's stream must
  /// exist until another one is used.
  void use(cudaStream_t of_caller);
  void use_own() { use(own_); }
  /// Makes later work wait for the work that the other stream holds now.
  void wait_for(cudaStream_t of_caller);

 private:
  std::shared_ptr<const CudaContext> context_;
  cudaStream_t own_ = nullptr;
  cudaStream_t current_ = nullptr;  // its own or one of the caller's
};

}  // namespace weft
