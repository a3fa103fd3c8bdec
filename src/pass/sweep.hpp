// One loop over a box: gather a tile of lines → 1-D FFTs in cache → scatter. Kernels save the
// gather, the scatter or both. Passes consist of sweeps; each one reads and writes its data once.
#pragma once

#include <array>
#include <memory>

#include "engine/engine.hpp"
#include "machine/aligned_buffer.hpp"
#include "machine/caches.hpp"
#include "pass/computation.hpp"
#include "pass/kernel_end.hpp"
#include "pass/kernel_sweep.hpp"
#include "pass/tiling.hpp"
#include "view/block_sums.hpp"
#include "view/copy_kernels.hpp"
#include "view/strided_copy.hpp"

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

/// A planned sweep over boxes, tile by tile. Running is const: threads share it, each with its own
/// buffers.
class Sweep {
 public:
  /// `domains`: the boxes that the sweep will run on, in indices of the input side. `from`, `to`:
  /// the views that it will run between; planning uses their strides, not their addresses.
  Sweep(SweepSpec spec, const std::vector<Box>& domains, const std::vector<View>& from,
        const std::vector<View>& to, const Caches& caches);

  /// The number of tiles of a domain; they may be run in any order, by any thread.
  Index tiles(const Box& domain) const { return cut().parts(domain); }
  void run_tile(const Box& domain, Index tile, const View& from, const View& to,
                const TileBuffers& buffers, const SweepCall& call = {}) const;
  TileBuffers make_buffers() const;
  /// The axes along which kernels read and write without a tile; -1 if there is a tile.
  int source_columns() const;
  int target_columns() const;
  std::size_t buffer_bytes() const;
  /// Elements per tile along each axis (1 along the step's).
  const Shape& tile() const { return cut().extents; }

 private:
  const Cut& cut() const { return kernels_.all ? kernels_.all->tiles() : tiling_.tiles; }
  TileLine line() const;
  bool is_line_array(const std::vector<Box>& domains, const std::vector<View>& views,
                     Index element_bytes) const;
  Index line_distance(const View& view, Index element_bytes) const;
  Depth target_depth() const;
  bool prepares_lines() const;
  bool finishes_lines() const;
  void plan_ends(const std::vector<Box>& domains, const std::vector<View>& from,
                 const std::vector<View>& to, const Caches& caches);
  void plan_lines(const std::vector<Box>& domains, const std::vector<View>& from,
                  const std::vector<View>& to);
  void plan_engine(const std::vector<Box>& domains, const std::vector<View>& from);
  bool is_plain() const;
  std::array<std::size_t, 2> tile_bytes() const;
  std::size_t scratch_bytes() const;
  void copy_tile(const Box& box, const View& from, const View& to, const SweepCall& call) const;
  void sum_copied(const Box& part, const std::byte* data, const PerAxis<Index>& strides, int worker,
                  BlockSums* sums) const;
  struct Part;
  Part part(const Box& domain, Index tile) const;
  void run_engine(const Part& part, const View& from, std::byte* target, const TileBuffers& buffers,
                  const SweepCall& call) const;
  void write(const Box& box, const View& to, std::byte* tile, Index line_bytes,
             const TileBuffers& buffers, const SweepCall& call) const;
  bool load(const Box& box, const View& from, std::byte* tile, const SweepSums& sums) const;
  void transform(const LineTransform& engine, Index lines, const std::byte* input,
                 Index input_bytes, std::byte* output, Index output_bytes) const;
  void finish_analysis(const Box& result, std::byte* tile) const;
  void run_fused_tile(const Part& part, const View& from, const View& to,
                      const TileBuffers& buffers, const SweepCall& call) const;
  void gather(const Box& box, const View& from, std::byte* tile, const SweepSums& sums) const;
  void scatter(const Box& box, const View& to, const std::byte* tile, Index distance,
               const SweepCall& call) const;
  StridedCopy scattering_copy(Index source_bytes, double scale) const;
  Element source() const;
  Element target() const;
  const Element& transformed() const { return spec_.computation.transformed(); }
  void weigh_ends(std::byte* tile, Index lines, const Element& element, Index distance,
                  Index length, double first, double last) const;
  PerAxis<Index> tile_strides(Index distance, Index element_bytes) const;
  TileLines input_lines(const Box& box, std::byte* tile) const;
  TileLines output_lines(const Box& box, std::byte* tile) const;

  /// The kernels of the sweep; null if unused.
  struct Kernels {
    std::unique_ptr<KernelSweep> all;    // runs the whole sweep
    std::unique_ptr<KernelEnd> reading;  // instead of a gather and the engine
    std::unique_ptr<KernelEnd> writing;  // instead of the engine and a scatter
  };
  /// The engine's transforms of lines in the tile.
  struct EngineLines {
    Index input_distance = 0;  // elements between lines
    Index output_distance = 0;
    bool writes_target = false;  // the engine replaces the scatter
    std::unique_ptr<LineTransform> transform;
    std::unique_ptr<LineTransform> inverse;  // of a fused sweep, else null
    std::unique_ptr<LineTransform> direct;   // reads the source, not the tile; null if impossible
    Index direct_bytes = 0;                  // between the source's lines
  };
  /// Copies between the views and the tile.
  struct Copies {
    CopyKernels gather;
    CopyKernels scatter;
    CopyKernels scaling;  // a scatter that multiplies as well
  };

  SweepSpec spec_;
  int line_axis_ = -1;
  Tiling tiling_;
  bool has_tile_ = false;
  Kernels kernels_;
  EngineLines engine_;
  Copies copies_;
};

}  // namespace weft
