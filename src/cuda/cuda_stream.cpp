// Marks are events; a failure on the device, which CUDA reports at any later call, is thrown by
// whoever asks next.
#include "cuda/cuda_stream.hpp"

namespace weft {
namespace {

class Event : public Mark {
 public:
  explicit Event(std::shared_ptr<const CudaContext> context) : context_(std::move(context)) {
    check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate");
  }
  Event(std::shared_ptr<const CudaContext> context, cudaStream_t stream)
      : Event(std::move(context)) {
    check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord");
  }
  ~Event() override {
    free_on(*context_, [&] { cudaEventDestroy(event_); });
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void delay(cudaStream_t stream) const {
    check_cuda(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
  }
  bool is_over() const override {
    const CudaContext::Current current(*context_);
    const cudaError_t status = cudaEventQuery(event_);
    if (status == cudaErrorNotReady) {
      cudaGetLastError();
      return false;
    }
    check_cuda(status, "cudaEventQuery");
    return true;
  }

 private:
  std::shared_ptr<const CudaContext> context_;
  cudaEvent_t event_ = nullptr;
};

}  // namespace

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

SharedMark CudaStream::mark() {
  const CudaContext::Current current(*context_);
  return std::make_shared<const Event>(context_, current_);
}

void CudaStream::wait_for(const Mark& mark) {
  const CudaContext::Current current(*context_);
  static_cast<const Event&>(mark).delay(current_);
}

void CudaStream::synchronize() {
  const CudaContext::Current current(*context_);
  check_cuda(cudaStreamSynchronize(current_), "cudaStreamSynchronize");
}

void CudaStream::use(cudaStream_t of_caller) {
  if (of_caller == current_) return;
  const CudaContext::Current current(*context_);
  Event(context_, current_).delay(of_caller);
  current_ = of_caller;
}

void CudaStream::wait_for(cudaStream_t of_caller) {
  const CudaContext::Current current(*context_);
  Event(context_, of_caller).delay(current_);
}

}  // namespace weft
