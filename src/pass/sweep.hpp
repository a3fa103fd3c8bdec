// One loop over a box, tile by tile: lines are read, transformed in cache and written. Passes
// consist of sweeps; each one reads and writes its data once.
#pragma once

#include <memory>

#include "engine/engine.hpp"
#include "machine/aligned_buffer.hpp"
#include "machine/caches.hpp"
#include "pass/computation.hpp"
#include "pass/lane_lines.hpp"
#include "pass/tiling.hpp"
#include "view/block_sums.hpp"

namespace weft {

/// One side of a sweep.
struct SweepSide {
  Access access = {};
  /// The data are in the cache: an engine may read them directly, and stores do not bypass the
  /// cache. For data in memory, copying in order is faster than an engine's strided reads.
  bool cached = false;
  /// A cached plane that belongs to the pass and is read only once. Engines may therefore write
  /// directly into it, and may destroy it when they read it.
  bool scratch = false;
};

/// Describes a sweep to be made.
struct SweepSpec {
  LineComputation computation;
  SweepSide source;
  SweepSide target;
  const Engine* engine = nullptr;
  EngineEffort effort = EngineEffort::measure;
  std::shared_ptr<const WavenumberTable> wavenumbers;  ///< for fused computations

  /// The elements of either view; on the wire they may be shorter than the numbers computed with.
  Element source_element() const { return with_wire(computation.input, source.access); }
  Element target_element() const { return with_wire(computation.output, target.access); }
  Depth target_depth() const {
    if (target.scratch) return Depth::second_level;
    return target.cached ? Depth::last_level : Depth::memory;
  }

 private:
  static Element with_wire(Element element, const Access& access) {
    element.wire = access.wire;
    return element;
  }
};

/// One thread's memory for one sweep: the tile before and after the transform, and scratch memory
/// for kernels. The tile has two buffers, because engines are faster out of place.
struct TileBuffers {
  AlignedBuffer input;
  AlignedBuffer output;
  AlignedBuffer scratch;
};

/// The arguments of one call.
struct SweepCall {
  const RawLineFunction* function = nullptr;  ///< applied to the spectrum by a fused sweep
  double scale = 1;                           ///< applied to the values written, like the factor
  SweepSums sums = {};
};

/// A planned sweep over boxes. Running is const: threads share it, each with its own buffers.
class Sweep {
 public:
  virtual ~Sweep() = default;

  /// The number of tiles of a domain; they may be run in any order, by any thread.
  Index tiles(const Box& domain) const { return cut().parts(domain); }
  /// Elements per tile along each axis (1 along the step's).
  const Shape& tile() const { return cut().extents; }
  virtual void run_tile(const Box& domain, Index tile, const View& from, const View& to,
                        const TileBuffers& buffers, const SweepCall& call) const = 0;
  /// The axes along which kernels read and write without a tile; -1 if there is a tile.
  virtual int source_columns() const = 0;
  virtual int target_columns() const = 0;
  TileBuffers make_buffers() const;
  std::size_t buffer_bytes() const;

 protected:
  /// Bytes of TileBuffers.
  struct BufferBytes {
    std::size_t input = 0;
    std::size_t output = 0;
    std::size_t scratch = 0;
  };

 private:
  virtual const Cut& cut() const = 0;
  virtual BufferBytes bytes_of_buffers() const = 0;
};

/// `domains`: the boxes that the sweep will run on, in indices of the input side. `from`, `to`: the
/// views that it will run between; planning uses their strides, not their addresses.
std::unique_ptr<Sweep> make_sweep(SweepSpec spec, const std::vector<Box>& domains,
                                  const std::vector<View>& from, const std::vector<View>& to,
                                  const Caches& caches);

}  // namespace weft
