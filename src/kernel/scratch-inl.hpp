// The memory of one run of a kernel, cut from the caller's scratch: one function counts the bytes
// and hands them out. Compiled once for each instruction set.
#if defined(WEFT_KERNEL_SCRATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_SCRATCH_INL
#undef WEFT_KERNEL_SCRATCH_INL
#else
#define WEFT_KERNEL_SCRATCH_INL
#endif

#include <hwy/highway.h>

#include "kernel/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

/// The slots of each tile of a run.
struct TileSlots {
  Index lines = 0;
  Index tile = 0;
  Index spare = 0;
  Index spectrum = 0;
  Index rows = 0;  ///< entries of the table of addresses
};

/// The memory of a run; a kernel uses some of it.
template <class Real>
struct LineTiles {
  Tile<Real> lines;  ///< before and after a DCT or DST
  Tile<Real> tile;   ///< the FFT works in place here
  Tile<Real> spare;  ///< for the FFT
  Tile<Real> spectrum;
  std::byte** rows;
};

/// Memory of one run, cut from the caller's scratch. Without scratch, it only counts.
template <class Real>
class Scratch {
 public:
  explicit Scratch(std::byte* memory = nullptr) : memory_(memory) {}

  LineTiles<Real> tiles(const TileSlots& slots, Index lines) {
    const Index groups = (lines + lanes_of<Real>() - 1) / lanes_of<Real>();
    return {tile(slots.lines, groups), tile(slots.tile, groups), tile(slots.spare, groups),
            tile(slots.spectrum, groups), rows(slots.rows)};
  }
  Tile<Real> tile(Index slots, Index groups) {
    const Index pitch = tile_pitch<Real>(groups);
    return {reinterpret_cast<Real*>(bytes_of(slots * pitch * static_cast<Index>(sizeof(Real)))),
            groups, pitch};
  }
  std::byte** rows(Index count) {
    return reinterpret_cast<std::byte**>(bytes_of(count * static_cast<Index>(sizeof(std::byte*))));
  }
  std::byte* bytes_of(Index count) {
    std::byte* const taken = memory_ == nullptr ? nullptr : memory_ + taken_;
    taken_ += (count + line_bytes - 1) / line_bytes * line_bytes;
    return taken;
  }
  /// The bytes taken so far.
  std::size_t taken() const { return static_cast<std::size_t>(taken_); }

 private:
  std::byte* memory_;
  Index taken_ = 0;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
