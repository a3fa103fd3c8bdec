// Marks are events. A runtime reports a failure on the device at any later call, so any call may
// throw.
#include "gpu/gpu_stream.hpp"

namespace weft {

GpuMark::GpuMark(std::shared_ptr<const GpuContext> context, runtime::StreamHandle stream)
    : context_(std::move(context)) {
  const GpuContext::Current current(*context_);
  event_ = runtime::make_event();
  try {
    runtime::record(event_, stream);
  } catch (...) {
    runtime::destroy_event(event_);
    throw;
  }
}

GpuMark::~GpuMark() {
  free_on(*context_, [&] { runtime::destroy_event(event_); });
}

bool GpuMark::is_over() const {
  const GpuContext::Current current(*context_);
  return runtime::is_over(event_);
}

void GpuMark::delay(runtime::StreamHandle stream) const {
  const GpuContext::Current current(*context_);
  runtime::wait_for(stream, event_);
}

GpuStream::GpuStream(std::shared_ptr<const GpuContext> context, Waits waits)
    : context_(std::move(context)) {
  const GpuContext::Current current(*context_);
  current_ = own_ = runtime::make_stream(waits == Waits::for_default_stream);
}

GpuStream::~GpuStream() {
  free_on(*context_, [&] { runtime::destroy_stream(own_); });
}

void GpuStream::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;  // there may be no memory at all
  const GpuContext::Current current(*context_);
  runtime::copy(to, from, bytes, current_);
}

SharedMark GpuStream::mark() { return std::make_shared<const GpuMark>(context_, current_); }

void GpuStream::wait_for(const Mark& mark) { static_cast<const GpuMark&>(mark).delay(current_); }

void GpuStream::synchronize() {
  const GpuContext::Current current(*context_);
  runtime::synchronize(current_);
}

void GpuStream::use(runtime::StreamHandle of_caller) {
  if (of_caller == current_) return;
  GpuMark(context_, current_).delay(of_caller);
  current_ = of_caller;
}

void GpuStream::wait_for_caller(runtime::StreamHandle of_caller) {
  GpuMark(context_, of_caller).delay(current_);
}

}  // namespace weft
