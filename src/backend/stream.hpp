// A device's queue of work. The work on a stream runs in order, at some later time; meanwhile the
// host goes on, and asks for progress.
#pragma once

#include <cstddef>
#include <memory>

namespace weft {

/// The direction of copies that have their own stream, beside the stream of passes.
enum class CopyWay { to_host, to_device, to_peers };
inline constexpr std::size_t copy_ways = 3;

/// The end of the work that a stream held at some moment; it may outlive the stream.
class Mark {
 public:
  virtual ~Mark() = default;
  /// Whether all of that work is done. Asking never blocks.
  virtual bool is_over() const = 0;
};
using SharedMark = std::shared_ptr<const Mark>;

class Stream {
 public:
  virtual ~Stream() = default;
  /// Appends a copy within the device's memory, or between it and the host's memory.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  /// Marks the end of the work that the stream holds now.
  virtual SharedMark mark() = 0;
  /// Makes later work on this stream wait until everything before the mark is done. The mark is of
  /// a stream of the same device.
  virtual void wait_for(const Mark& mark) = 0;
  /// Returns when all work on the stream is done.
  virtual void synchronize() = 0;
};

}  // namespace weft
