// A sweep through a tile: gather lines → 1-D FFTs in cache → scatter. Kernels save the gather or
// the scatter where one side allows it (pass/kernel_end.hpp).
#pragma once

#include "pass/kernel_end.hpp"
#include "pass/sweep.hpp"
#include "pass/twiddle_lines.hpp"
#include "view/copy_kernels.hpp"
#include "view/strided_copy.hpp"

namespace weft {

class TileSweep : public Sweep {
 public:
  /// See make_sweep.
  TileSweep(SweepSpec spec, const std::vector<Box>& domains, const std::vector<View>& from,
            const std::vector<View>& to, const Caches& caches);

  void run_tile(const Box& domain, Index tile, const View& from, const View& to,
                const TileBuffers& buffers, const SweepCall& call) const override;
  int source_columns() const override { return reading_ ? reading_->unit_axis() : -1; }
  int target_columns() const override { return writing_ ? writing_->unit_axis() : -1; }

 private:
  const Cut& cut() const override { return tiling_.tiles; }
  BufferBytes bytes_of_buffers() const override;
  TileLine line() const;
  bool is_line_array(const std::vector<Box>& domains, const std::vector<View>& views,
                     Index element_bytes) const;
  Index line_distance(const View& view, Index element_bytes) const;
  bool prepares_lines() const;
  bool finishes_lines() const;
  void plan_ends(const std::vector<Box>& domains, const std::vector<View>& from,
                 const std::vector<View>& to, const Caches& caches);
  void plan_lines(const std::vector<Box>& domains, const std::vector<View>& from,
                  const std::vector<View>& to);
  void plan_engine(const std::vector<Box>& domains, const std::vector<View>& from);
  bool is_plain() const;
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
  Index line_offset(const Piece& lines, const Box& part, LinePlaces places) const;
  PerAxis<Index> dealt_strides(PerAxis<Index> strides, LinePlaces places) const;
  void gather(const Box& box, const View& from, std::byte* tile, const SweepSums& sums) const;
  void scatter(const Box& box, const View& to, const std::byte* tile, Index distance,
               const SweepCall& call) const;
  StridedCopy scattering_copy(Index source_bytes, double scale) const;
  const Element& transformed() const { return spec_.computation.transformed(); }
  void weigh_ends(std::byte* tile, Index lines, const Element& element, Index distance,
                  Index length, double first, double last) const;
  PerAxis<Index> tile_strides(Index distance, Index element_bytes) const;
  TileLines input_lines(const Box& box, std::byte* tile) const;
  TileLines output_lines(const Box& box, std::byte* tile) const;

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
  std::unique_ptr<KernelEnd> reading_;  // instead of a gather and the engine; null if unused
  std::unique_ptr<KernelEnd> writing_;  // instead of the engine and a scatter; null if unused
  EngineLines engine_;
  Copies copies_;
  TwiddleLines twiddles_;  // of the step
};

}  // namespace weft
