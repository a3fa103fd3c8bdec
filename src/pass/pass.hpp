// One sweep over a rank's box between two exchanges: the interface of all that can do it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "machine/caches.hpp"
#include "pass/computation.hpp"
#include "pass/engine.hpp"

namespace weft {

/// What a pass is made from.
struct PassSpec {
  Computation computation;
  Access source;
  Access target;
  const Engine* engine = nullptr;
  EngineEffort effort = EngineEffort::measure;
  int threads = 1;
  std::shared_ptr<const WavenumberTable> wavenumbers;  ///< for fused computations
  std::vector<Piece> blank;  ///< behind the target's base, what it fills with zeros
};

/// The part of a pass that consumes chunk j of the exchange before it and produces chunk k of the
/// one after it. Boxes are in indices of the input side.
struct Cell {
  Box domain;
  int consumes = 0;
  int produces = 0;
};

/// A planned pass over cells, between views. On the host, `run` returns when the cell's output has
/// been written. On a device it may merely append the cell to the device's stream: passes then see
/// each other's output because they run in the order of the calls, and whoever else reads it, such
/// as an exchange, first makes sure that the stream has come so far.
class Pass {
 public:
  virtual ~Pass() = default;
  /// Runs one cell, calling `poll` on the calling thread between pieces of work.
  virtual void run(int cell, const std::function<void()>& poll) = 0;

  /// Points the views, made with one base of null, to the caller's array.
  virtual void bind_source(const void* data) = 0;
  virtual void bind_target(void* data) = 0;
  /// What a fused pass does to the spectrum; it must live until the next one is bound.
  virtual void bind_function(const RawLineFunction* function) = 0;
  /// Multiplies what it writes from now on, besides the computation's own factor.
  virtual void bind_scale(double scale) = 0;
  /// True where reading and writing the same array of the same strides is safe.
  virtual bool may_run_in_place() const = 0;

  /// Memory of its own.
  virtual std::size_t buffer_bytes() const = 0;
  /// Bytes read and written by one run of all cells.
  virtual std::size_t traffic_bytes() const = 0;
  virtual std::string describe() const = 0;
};

/// A pass on the host. With two steps, planes of both axes are transformed while they are cached.
/// It reads `from` by consumed chunk and writes `to` by produced chunk.
std::unique_ptr<Pass> make_pass(PassSpec spec, std::vector<Cell> cells, std::vector<View> from,
                                std::vector<View> to, const Caches& caches);

/// Bytes that a rank may read and write again and again without going to memory.
std::size_t cached_budget(const Caches& caches);

/// Bytes of a plane of two steps that still count as cached.
std::size_t plane_budget(const Caches& caches);

}  // namespace weft
