// The memory of one run of a kernel, cut from what the caller gives: the same code counts the bytes
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

/// Memory of one run, cut from the caller's scratch.
template <class Real>
class Scratch {
 public:
  explicit Scratch(std::byte* memory) : next_(memory) {}

  Tile<Real> tile(Index slots, Index groups) {
    const Index pitch = tile_pitch<Real>(groups);
    return {reinterpret_cast<Real*>(take(slots * pitch * static_cast<Index>(sizeof(Real)))), groups,
            pitch};
  }
  std::byte** rows(Index count) {
    return reinterpret_cast<std::byte**>(take(count * static_cast<Index>(sizeof(std::byte*))));
  }
  std::byte* bytes_of(Index count) { return take(count); }
  /// What has been taken.
  std::size_t bytes(std::byte* memory) const { return static_cast<std::size_t>(next_ - memory); }

 private:
  std::byte* take(Index bytes) {
    std::byte* const taken = next_;
    next_ += (bytes + line_bytes - 1) / line_bytes * line_bytes;
    return taken;
  }

  std::byte* next_;
};

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
