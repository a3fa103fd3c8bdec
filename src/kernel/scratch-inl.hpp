// The memory of one run of a kernel, cut from the caller's scratch: the same code counts the bytes
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

/// Memory of one run, cut from the caller's scratch. Without scratch, it only counts.
template <class Real>
class Scratch {
 public:
  explicit Scratch(std::byte* memory = nullptr) : memory_(memory) {}

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

/// The bytes that `cut` takes.
template <class Real, class Cut>
std::size_t counted_bytes(const Cut& cut) {
  Scratch<Real> scratch;
  cut(scratch);
  return scratch.taken();
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
