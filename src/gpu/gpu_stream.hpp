// A stream of a GPU. The stream of passes and the runtime's default stream wait for each other, so
// calls of Weft are in order with callers' work there; CuPy and PyTorch use it by default. Streams
// for copies wait only for other streams of the plan.
#pragma once

#include "backend/stream.hpp"
#include "gpu/runtime.hpp"

namespace weft {

class GpuMark : public Mark {
 public:
  /// Marks the end of the work that the stream holds now.
  GpuMark(std::shared_ptr<const GpuContext> context, runtime::StreamHandle stream);
  ~GpuMark() override;
  GpuMark(const GpuMark&) = delete;
  GpuMark& operator=(const GpuMark&) = delete;

  bool is_over() const override;
  /// Makes later work on that stream wait for the mark.
  void delay(runtime::StreamHandle stream) const;

 private:
  std::shared_ptr<const GpuContext> context_;
  runtime::EventHandle event_ = nullptr;
};

class GpuStream : public Stream {
 public:
  enum class Waits { for_default_stream, for_nothing };

  explicit GpuStream(std::shared_ptr<const GpuContext> context,
                     Waits waits = Waits::for_default_stream);
  ~GpuStream() override;
  GpuStream(const GpuStream&) = delete;
  GpuStream& operator=(const GpuStream&) = delete;

  void copy(void* to, const void* from, std::size_t bytes) override;
  SharedMark mark() override;
  void wait_for(const Mark& mark) override;
  void synchronize() override;
  runtime::StreamHandle get() const { return current_; }

  /// Puts later work on the caller's stream, behind the work that is here. The caller's stream must
  /// exist until another one is used.
  void use(runtime::StreamHandle of_caller);
  void use_own() { use(own_); }
  /// Makes later work wait for the work that the other stream holds now.
  void wait_for_caller(runtime::StreamHandle of_caller);

 private:
  std::shared_ptr<const GpuContext> context_;
  runtime::StreamHandle own_ = nullptr;
  runtime::StreamHandle current_ = nullptr;  // its own or one of the caller's
};

}  // namespace weft
