// One sweep over a rank's box between two exchanges: gather, up to two transforms, scatter.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "pass/sweep.hpp"

namespace weft {

/// What a pass is made from.
struct PassSpec {
  Computation computation;
  Access source;  ///< the pass itself finds out what is cached
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

/// A planned pass: cells, and the views they read (by consumed chunk) and write (by produced
/// chunk).
class Pass {
 public:
  Pass(PassSpec spec, std::vector<Cell> cells, std::vector<View> from, std::vector<View> to,
       const Caches& caches);

  /// Runs one cell, calling `poll` on the calling thread between tiles.
  void run(int cell, const std::function<void()>& poll);

  /// Points the views, made with one base of null, to the caller's array.
  void bind_source(const void* data);
  void bind_target(void* data);
  /// What a fused pass does to the spectrum; it must live until the next one is bound.
  void bind_function(const RawLineFunction* function) { function_ = function; }
  /// True where reading and writing the same array of the same strides is safe tile by tile.
  bool may_run_in_place() const { return in_place_; }

  std::size_t buffer_bytes() const;
  /// Bytes read and written by one run of all cells.
  std::size_t traffic_bytes() const;
  const std::vector<Cell>& cells() const { return cells_; }
  std::string describe() const;

 private:
  /// What one thread works with.
  struct Worker {
    TileBuffers first;
    TileBuffers second;
    TileBuffers third;
    AlignedBuffer plane;
  };

  void plan_one_sweep(const Caches& caches);
  void choose_planes(const Caches& caches);
  void plan_two_sweeps(const Caches& caches);
  SweepSpec sweep_spec(LineComputation computation) const;
  Index groups(const Box& domain) const;
  Box group_box(const Box& domain, Index group) const;
  void blank(const View& to) const;
  void run_group(const Box& group, const View& from, const View& to, Worker& worker) const;

  PassSpec spec_;
  std::vector<Cell> cells_;
  std::vector<View> from_;
  std::vector<View> to_;
  std::unique_ptr<Sweep> first_;
  std::unique_ptr<Sweep> second_;  // null with fewer than two steps
  std::unique_ptr<Sweep> third_;   // back from the plane of a fused pass; null in others
  const RawLineFunction* function_ = nullptr;
  Shape group_;             // planes per group along each free axis; two steps only
  PerAxis<Index> strides_;  // of a group's planes in a worker's scratch memory
  Index plane_bytes_ = 0;
  std::vector<Worker> workers_;
  bool in_place_ = false;
};

/// Bytes that a rank may read and write again and again without going to memory.
std::size_t cached_budget(const Caches& caches);

/// Bytes of a plane of two steps that still count as cached.
std::size_t plane_budget(const Caches& caches);

}  // namespace weft
