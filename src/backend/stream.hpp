// A device's queue of work. What is put on a stream happens in that order, at some later time; the
// host goes on meanwhile and asks.
#pragma once

#include <cstddef>
#include <memory>

namespace weft {

/// Which way copies go that have a stream of their own, beside the one that passes are on.
enum class CopyWay { to_host, to_device, to_peers };
inline constexpr std::size_t copy_ways = 3;

/// The end of what a stream held at some moment; it may outlive the stream.
class Mark {
 public:
  virtual ~Mark() = default;
  /// Whether all of that is over. Asking never blocks.
  virtual bool is_over() const = 0;
};
using SharedMark = std::shared_ptr<const Mark>;

class Stream {
 public:
  virtual ~Stream() = default;
  /// Appends a copy between memory of the device, or between it and the host's.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  /// Marks the end of what the stream holds now.
  virtual SharedMark mark() = 0;
  /// What goes on this stream from now on starts when everything before that mark, of a stream of
  /// the same device, is done.
  virtual void wait_for(const Mark& mark) = 0;
  /// Returns when all that the stream holds is over.
  virtual void synchronize() = 0;
};

}  // namespace weft
