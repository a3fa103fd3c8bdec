// Streams, events and copies. The legacy default stream and the streams without
// cudaStreamNonBlocking wait for each other, as CUDA's do.
#include "streams.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "contract.hpp"
#include "device/emulated_memory.hpp"
#include "machine/until.hpp"
#include "memory.hpp"
#include "waits.hpp"

struct CUstream_st {
  int device;
  bool is_blocking;  ///< waits for the legacy default stream
  weft::EmulatedStream work{weft::Waiter::passes, weft::EmulatedOrder::lazy,
                            weft::test::common_lock()};
};

struct CUevent_st {
  int device;
  weft::SharedMark mark;  ///< null until it is recorded
};

namespace weft::test {
namespace {

template <class Object>
using Owned = std::vector<std::unique_ptr<Object>>;

// They are never destroyed: memory is freed after static objects.
Owned<CUstream_st>& streams() {
  static auto* const all = new Owned<CUstream_st>;
  return *all;
}
Owned<CUevent_st>& events() {
  static auto* const all = new Owned<CUevent_st>;
  return *all;
}

template <class Object>
auto position_of(Owned<Object>& all, const Object* object) {
  return std::ranges::find(all, object, &std::unique_ptr<Object>::get);
}

CUstream_st& legacy(int device) {
  static auto* const all = new Owned<CUstream_st>;
  while (static_cast<int>(all->size()) <= device)
    all->emplace_back(new CUstream_st{static_cast<int>(all->size()), false});
  return *(*all)[static_cast<std::size_t>(device)];
}

CUstream_st& stream_of(const std::string& call, cudaStream_t stream) {
  const int device = current_device(call);
  if (stream == nullptr || stream == cudaStreamLegacy) return legacy(device);
  require(position_of(streams(), stream) != streams().end(), call, "the stream exists");
  require(stream->device == device, call, "the stream belongs to the current device");
  return *stream;
}
CUevent_st& event_of(const std::string& call, cudaEvent_t event) {
  current_device(call);
  require(position_of(events(), event) != events().end(), call, "the event exists");
  return *event;
}

/// Makes later work of the stream wait as the legacy default stream demands.
void wait_for_legacy(CUstream_st& stream) {
  CUstream_st& default_stream = legacy(stream.device);
  if (stream.is_blocking) stream.work.wait_for(*default_stream.work.mark());
  if (&stream != &default_stream) return;
  for (const auto& other : streams())
    if (other->is_blocking && other->device == stream.device)
      stream.work.wait_for(*other->work.mark());
}

/// The end of the work that the stream holds now.
SharedMark end_of(CUstream_st& stream) {
  wait_for_legacy(stream);
  return stream.work.mark();
}

/// Does work until all these marks are reached. Other threads may call CUDA meanwhile.
void reach(const std::vector<SharedMark>& ends) {
  until([&] {
    bool are_over = true;
    for (const SharedMark& end : ends) are_over = end->is_over() && are_over;
    return are_over;
  });
}

}  // namespace

void append(const std::string& call, cudaStream_t stream, std::function<void()> work) {
  const std::lock_guard lock(*common_lock());
  CUstream_st& target = stream_of(call, stream);
  wait_for_legacy(target);
  target.work.append(std::move(work));
}

void synchronize_device(int device) {
  std::vector<SharedMark> ends;
  {
    const std::lock_guard lock(*common_lock());
    for (const auto& stream : streams())
      if (stream->device == device) ends.push_back(end_of(*stream));
    ends.push_back(end_of(legacy(device)));
  }
  reach(ends);
}

}  // namespace weft::test

using namespace weft::test;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const int device = current_device("cudaStreamCreateWithFlags");
  const std::lock_guard lock(*common_lock());
  streams().emplace_back(new CUstream_st{device, flags == cudaStreamDefault});
  *stream = streams().back().get();
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  require(stream != nullptr && stream != cudaStreamLegacy, "cudaStreamDestroy",
          "the stream was made by a caller");
  cudaStreamSynchronize(stream);  // CUDA would finish the work later
  const std::lock_guard lock(*common_lock());
  streams().erase(position_of(streams(), stream));
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  weft::SharedMark end;
  {
    const std::lock_guard lock(*common_lock());
    end = end_of(stream_of("cudaStreamSynchronize", stream));
  }
  reach({end});
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const std::lock_guard lock(*common_lock());
  const CUevent_st& waited = event_of("cudaStreamWaitEvent", event);
  require(waited.mark != nullptr, "cudaStreamWaitEvent", "the event is recorded before");
  CUstream_st& waiting = stream_of("cudaStreamWaitEvent", stream);
  wait_for_legacy(waiting);
  waiting.work.wait_for(*waited.mark);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  const int device = current_device("cudaEventCreateWithFlags");
  const std::lock_guard lock(*common_lock());
  events().emplace_back(new CUevent_st{device, nullptr});
  *event = events().back().get();
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard lock(*common_lock());
  CUstream_st& recorded = stream_of("cudaEventRecord", stream);
  CUevent_st& target = event_of("cudaEventRecord", event);
  require(target.device == recorded.device, "cudaEventRecord",
          "event and stream belong to the same device");
  target.mark = end_of(recorded);
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  weft::SharedMark mark;
  {
    const std::lock_guard lock(*common_lock());
    mark = event_of("cudaEventQuery", event).mark;
  }
  require(mark != nullptr, "cudaEventQuery", "the event is recorded before");
  return mark->is_over() ? cudaSuccess : failed(cudaErrorNotReady);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const std::lock_guard lock(*common_lock());
  event_of("cudaEventDestroy", event);
  events().erase(position_of(events(), event));
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  append("cudaLaunchHostFunc", stream, [=] { function(data); });
  return cudaSuccess;
}
cudaError_t cudaPretendedWait(cudaStream_t stream, bool (*is_over)(void*), void* data) {
  const std::lock_guard lock(*common_lock());
  stream_of("cudaPretendedWait", stream).work.append_trying([=] { return is_over(data); });
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  require(kind == cudaMemcpyDefault, "cudaMemcpyAsync", "the kind follows from the addresses");
  const auto check = [=] {
    const Storage source = storage_of("cudaMemcpyAsync from", from, bytes);
    const Storage target = storage_of("cudaMemcpyAsync to", to, bytes);
    return source == Storage::pageable || target == Storage::pageable;
  };
  const bool is_pageable = check();
  append("cudaMemcpyAsync", stream, [=] {
    check();  // the memory still exists
    std::memcpy(weft::emulated_bytes(to), weft::emulated_bytes(from), bytes);
  });
  // CUDA may return from copies of pageable memory earlier, but not before it has the bytes.
  return is_pageable ? cudaStreamSynchronize(stream) : cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  require(storage_of("cudaMemsetAsync", memory, bytes) == Storage::device, "cudaMemsetAsync",
          "the memory is a device's");
  append("cudaMemsetAsync", stream,
         [=] { std::memset(weft::emulated_bytes(memory), value, bytes); });
  return cudaSuccess;
}

}  // extern "C"
