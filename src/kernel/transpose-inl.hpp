// Transposes of squares of elements in registers, in log2 L rounds for L vectors of L elements.
// Compiled once for each instruction set.
#if defined(WEFT_KERNEL_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_TRANSPOSE_INL
#undef WEFT_KERNEL_TRANSPOSE_INL
#else
#define WEFT_KERNEL_TRANSPOSE_INL
#endif

#include <hwy/highway.h>

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One round on a pair of vectors: swaps groups of `Bytes` bytes between them.
template <int Bytes, class Tag>
HWY_INLINE void swap_groups([[maybe_unused]] Tag tag, [[maybe_unused]] hn::Vec<Tag>& a,
                            [[maybe_unused]] hn::Vec<Tag>& b) {
#if HWY_TARGET != HWY_SCALAR
  const auto x = a, y = b;
  if constexpr (Bytes == 4) {  // pairs [x0 y0 x2 y2], [x1 y1 x3 y3]
    a = hn::OddEven(hn::DupEven(y), x);
    b = hn::OddEven(y, hn::DupOdd(x));
  } else if constexpr (Bytes == 8) {
    using Wide = std::conditional_t<hwy::IsFloat<hn::TFromD<Tag>>(), double, std::uint64_t>;
    const hn::Repartition<Wide, Tag> wide;
    const auto wx = hn::BitCast(wide, x), wy = hn::BitCast(wide, y);
    a = hn::BitCast(tag, hn::InterleaveLower(wide, wx, wy));
    b = hn::BitCast(tag, hn::InterleaveUpper(wide, wx, wy));
  } else if constexpr (Bytes == 16) {
    a = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(y), x);
    b = hn::OddEvenBlocks(y, hn::SwapAdjacentBlocks(x));
  } else {
    a = hn::ConcatLowerLower(tag, y, x);
    b = hn::ConcatUpperUpper(tag, y, x);
  }
#endif
}

/// Transposes `Size` vectors, each of `Size` elements of `Bytes` bytes.
template <int Size, int Bytes, int Group = 1, class Tag>
HWY_INLINE void transpose(Tag tag, hn::Vec<Tag>* v) {
  if constexpr (Group < Size) {
#pragma GCC unroll 16
    for (int i = 0; i < Size; ++i)
      if ((i & Group) == 0) swap_groups<Group * Bytes>(tag, v[i], v[i + Group]);
    transpose<Size, Bytes, Group * 2>(tag, v);
  }
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
