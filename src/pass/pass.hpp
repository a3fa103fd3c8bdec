// The interface of passes: the work on a rank's box between two exchanges, split into cells so that
// it can overlap with communication.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "machine/cache_line.hpp"
#include "machine/caches.hpp"
#include "pass/computation.hpp"
#include "view/block_sums.hpp"

namespace weft {

/// Describes a pass to be made.
struct PassSpec {
  Computation computation;
  Access source;
  Access target;
  const Engine* engine = nullptr;
  EngineEffort effort = EngineEffort::measure;
  int threads = 1;
  std::shared_ptr<const WavenumberTable> wavenumbers;  ///< for fused computations
  PassSums* sums = nullptr;  ///< of the elements that it reads and writes; may be null
  std::vector<Piece> blank;  ///< parts of the target array that the pass fills with zeros
};

/// The part of a pass that consumes one chunk of the exchange before it and produces one chunk of
/// the exchange after it. Boxes are in indices of the input side.
struct Cell {
  Box domain;
  int consumes = 0;
  int produces = 0;
};

/// Of each cell.
std::vector<Box> domains_of(const std::vector<Cell>& cells);

/// Everything that a pass is made from: a cell reads from[consumes] and writes to[produces].
struct PassParts {
  PassSpec spec;
  std::vector<Cell> cells;
  std::vector<View> from;
  std::vector<View> to;

  /// Indexes views with many pieces.
  void make_index();
  /// See Pass.
  void bind_source(const void* data);
  void bind_target(void* data);
  bool may_run_in_place() const;
  std::size_t traffic_bytes() const;
};

/// A planned pass over cells, between views. On the host, `run` returns when the cell's output has
/// been written. On a device it may only append the cell to the device's stream. Later passes see
/// the output, because the stream keeps the order of calls. An exchange must first check that the
/// stream has reached that point.
class Pass {
 public:
  virtual ~Pass() = default;
  /// Runs one cell, calling `poll` on the calling thread between pieces of work.
  virtual void run(int cell, const std::function<void()>& poll) = 0;

  /// Points views that were made with a single null base to the caller's array.
  virtual void bind_source(const void* data) = 0;
  virtual void bind_target(void* data) = 0;
  /// Sets the function that a fused pass applies to the spectrum. It must live until another
  /// function is bound.
  virtual void bind_function(const RawLineFunction* function) = 0;
  /// Sets a factor of all later results, in addition to the computation's own factor.
  virtual void bind_scale(double scale) = 0;
  /// Whether the pass may read and write the same array, with the same strides.
  virtual bool may_run_in_place() const = 0;

  /// Bytes of memory that the pass allocates.
  virtual std::size_t buffer_bytes() const = 0;
  /// Bytes read and written by one run of all cells.
  virtual std::size_t traffic_bytes() const = 0;
  virtual std::string describe() const = 0;
};

/// The lanes of the longest vectors that kernels use; each lane holds one line.
inline Index most_lanes(Precision precision) {
  return line_bytes / Element{precision, true}.bytes();
}

/// A pass on the host. With two steps, planes of both axes are transformed while they are cached.
std::unique_ptr<Pass> make_pass(PassParts parts, const Caches& caches);

/// Bytes that a rank can read and write repeatedly without going to memory.
std::size_t cached_budget(const Caches& caches);

/// The largest plane, in bytes, for which two steps share a pass.
std::size_t plane_budget(const Caches& caches);

}  // namespace weft
