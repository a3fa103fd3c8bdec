// Marks are events. CUDA reports a failure on the device at any later call, so any call may throw.
#include "cuda/cuda_stream.hpp"

namespace weft {
CudaMark::CudaMark(std::shared_ptr<const CudaContext> context, cudaStream_t stream)
    : context_(std::move(context)) {
  const CudaContext::Current current(*context_);
  check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate");
  const cudaError_t status = cudaEventRecord(event_, stream);
  if (status != cudaSuccess) cudaEventDestroy(event_);
  check_cuda(status, "cudaEventRecord");
}

CudaMark::~CudaMark() {
  free_on(*context_, [&] { cudaEventDestroy(event_); });
}

bool CudaMark::is_over() const {
  const CudaContext::Current current(*context_);
  const cudaError_t status = cudaEventQuery(event_);
  if (status == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check_cuda(status, "cudaEventQuery");
  return true;
}

void CudaMark::delay(cudaStream_t stream) const {
  const CudaContext::Current current(*context_);
  check_cuda(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
}

CudaStream::CudaStream(std::shared_ptr<const CudaContext> context, unsigned flags)
    : context_(std::move(context)) {
  const CudaContext::Current current(*context_);
  check_cuda(cudaStreamCreateWithFlags(&own_, flags), "cudaStreamCreateWithFlags");
  current_ = own_;
}

CudaStream::~CudaStream() {
  free_on(*context_, [&] { cudaStreamDestroy(own_); });
}

void CudaStream::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;  // there may be no memory at all
  const CudaContext::Current current(*context_);
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, current_), "cudaMemcpyAsync");
}

SharedMark CudaStream::mark() { return std::make_shared<const CudaMark>(context_, current_); }

void CudaStream::wait_for(const Mark& mark) { static_cast<const CudaMark&>(mark).delay(current_); }

void CudaStream::synchronize() {
  const CudaContext::Current current(*context_);
  check_cuda(cudaStreamSynchronize(current_), "cudaStreamSynchronize");
}

void CudaStream::use(cudaStream_t of_caller) {
  if (of_caller == current_) return;
  CudaMark(context_, current_).delay(of_caller);
  current_ = of_caller;
}

void CudaStream::wait_for(cudaStream_t of_caller) { CudaMark(context_, of_caller).delay(current_); }

}  // namespace weft
