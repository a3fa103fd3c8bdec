// SIMD copies and transposes, which Highway compiles for every instruction set and chooses from at
// run time; that costs code size and compile time.
//
// A transpose works on squares of L x L elements, where a vector holds L elements: L loads, log2 L
// rounds of interleaving, L stores. Elements left over at the right and bottom are copied one by
// one.
#include "view/copy_kernels.hpp"

#include "kernel/instruction_sets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "view/copy_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <cstring>

#include "kernel/transpose-inl.hpp"
#include "machine/cache_line.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// HWY_SCALAR, the fallback for processors without SIMD, copies element by element.
constexpr bool has_vectors = HWY_TARGET != HWY_SCALAR;

/// The unsigned lane that holds an element. 16-byte elements move as pairs of 64-bit lanes: a whole
/// 128-bit block.
template <int Bytes>
using LaneOf = hwy::UnsignedFromSize<Bytes == 16 ? 8 : Bytes>;

/// Copies elements of `Bytes` bytes that consist of Reals, as vectors of unsigned lanes.
template <int Bytes, class Real, bool Scaled, bool Stream>
struct Copy {
  using Lane = LaneOf<Bytes>;
  // At most one cache line per vector, which streamed stores can fill completely.
  using Tag = hn::CappedTag<Lane, line_bytes / sizeof(Lane)>;
  using RealTag = hn::CappedTag<Real, line_bytes / sizeof(Real)>;
  using Vector = hn::Vec<Tag>;

  static Index elements_per_vector() {
    return static_cast<Index>(hn::Lanes(Tag()) * sizeof(Lane)) / Bytes;
  }

  static HWY_INLINE Vector load(const std::byte* source) {
    return hn::LoadU(Tag(), reinterpret_cast<const Lane*>(source));
  }

  static HWY_INLINE Vector scale(Vector value, [[maybe_unused]] double factor) {
    if constexpr (Scaled) {
      const RealTag tag;
      const auto reals = hn::BitCast(tag, value);
      return hn::BitCast(Tag(), hn::Mul(reals, hn::Set(tag, static_cast<Real>(factor))));
    } else {
      return value;
    }
  }

  template <bool Aligned>
  static HWY_INLINE void store(Vector value, std::byte* target) {
    if constexpr (Stream && Aligned)
      hn::Stream(value, Tag(), reinterpret_cast<Lane*>(target));
    else
      hn::StoreU(value, Tag(), reinterpret_cast<Lane*>(target));
  }

  static HWY_INLINE void element(const std::byte* source, std::byte* target, double factor) {
    if constexpr (Scaled) {
      Real reals[Bytes / sizeof(Real)];
      std::memcpy(reals, source, Bytes);
      for (Real& real : reals) real *= static_cast<Real>(factor);
      std::memcpy(target, reals, Bytes);
    } else {
      std::memcpy(target, source, Bytes);
    }
  }

  static void row(const std::byte* source, std::byte* target, Index columns, double factor) {
    Index c = 0;
    if constexpr (has_vectors) {
      const Index step = elements_per_vector();
      const auto misaligned = [&] {
        return reinterpret_cast<std::uintptr_t>(target + c * Bytes) % line_bytes != 0;
      };
      if constexpr (Stream) {
        const bool reaches_lines = reinterpret_cast<std::uintptr_t>(target) % Bytes == 0;
        while (reaches_lines && c < columns && misaligned())
          element(source + c * Bytes, target + c * Bytes, factor), ++c;
        // Streams only whole cache lines: streaming half a line forces a read of the other half.
        constexpr Index per_line = line_bytes / Bytes;
        const Index whole = reaches_lines ? c + (columns - c) / per_line * per_line : c;
        for (; c < whole; c += step)
          store<true>(scale(load(source + c * Bytes), factor), target + c * Bytes);
      }
      for (; c + step <= columns; c += step)
        store<false>(scale(load(source + c * Bytes), factor), target + c * Bytes);
    }
    for (; c < columns; ++c) element(source + c * Bytes, target + c * Bytes, factor);
  }

  static void rows(const std::byte* source, Index source_stride, std::byte* target,
                   Index target_stride, Index rows, Index columns, double factor) {
    for (Index r = 0; r < rows; ++r)
      row(source + r * source_stride, target + r * target_stride, columns, factor);
  }

  template <int Size, bool Aligned>
  static void squares(const std::byte* source, Index source_stride, std::byte* target,
                      Index target_stride, Index rows, Index columns, double factor) {
    const auto square = [&](Index r, Index c) HWY_ATTR {
      const std::byte* from = source + r * source_stride + c * Bytes;
      std::byte* to = target + c * target_stride + r * Bytes;
      Vector v[Size];
      for (int i = 0; i < Size; ++i) v[i] = scale(load(from + i * source_stride), factor);
      transpose<Size, Bytes>(Tag(), v);
      for (int i = 0; i < Size; ++i) store<Aligned>(v[i], to + i * target_stride);
    };
    // Visits neighbouring lines in order on the side in memory; the other side is a cached tile.
    if constexpr (Stream) {
      for (Index c = 0; c < columns; c += Size)
        for (Index r = 0; r < rows; r += Size) square(r, c);
    } else {
      for (Index r = 0; r < rows; r += Size)
        for (Index c = 0; c < columns; c += Size) square(r, c);
    }
  }

  template <int Size>
  static void transposed_by(const std::byte* source, Index source_stride, std::byte* target,
                            Index target_stride, Index rows, Index columns, double factor) {
    const Index whole_rows = rows / Size * Size;
    const Index whole_columns = columns / Size * Size;
    const bool aligned = Size * Bytes == line_bytes && target_stride % line_bytes == 0 &&
                         reinterpret_cast<std::uintptr_t>(target) % line_bytes == 0;
    const auto body = Stream && aligned ? squares<Size, true> : squares<Size, false>;
    body(source, source_stride, target, target_stride, whole_rows, whole_columns, factor);
    for (Index r = 0; r < rows; ++r)
      for (Index c = r < whole_rows ? whole_columns : 0; c < columns; ++c)
        element(source + r * source_stride + c * Bytes, target + c * target_stride + r * Bytes,
                factor);
  }

  static void transposed(const std::byte* source, Index source_stride, std::byte* target,
                         Index target_stride, Index rows, Index columns, double factor) {
    CopyKernel body = transposed_elements;
    if constexpr (has_vectors && Bytes >= 4) {  // squares of smaller elements exceed the registers
      constexpr int largest = line_bytes / Bytes;
      const Index size = elements_per_vector();
      if (size >= largest)
        body = transposed_by<largest>;
      else if (size == largest / 2)
        body = transposed_by<largest / 2>;
      else if (size == largest / 4)
        body = transposed_by<largest / 4>;
    }
    body(source, source_stride, target, target_stride, rows, columns, factor);
  }

  static void transposed_elements(const std::byte* source, Index source_stride, std::byte* target,
                                  Index target_stride, Index rows, Index columns, double factor) {
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c)
        element(source + r * source_stride + c * Bytes, target + c * target_stride + r * Bytes,
                factor);
  }
};

template <int Bytes, class Real, bool Scaled>
CopyKernels kernels_for() {
  return {Copy<Bytes, Real, Scaled, false>::rows, Copy<Bytes, Real, Scaled, true>::rows,
          Copy<Bytes, Real, Scaled, false>::transposed,
          Copy<Bytes, Real, Scaled, true>::transposed};
}

CopyKernels scaling_kernels(const Element& element) {
  if (element.bytes() == 16) return kernels_for<16, double, true>();
  if (element.bytes() == 4) return kernels_for<4, float, true>();
  return element.real ? kernels_for<8, double, true>() : kernels_for<8, float, true>();
}

template <int Bytes>
CopyKernels moving_kernels() {
  return kernels_for<Bytes, LaneOf<Bytes>, false>();
}

CopyKernels moving_kernels(Index bytes) {
  switch (bytes) {
    case 1:
      return moving_kernels<1>();
    case 2:
      return moving_kernels<2>();
    case 4:
      return moving_kernels<4>();
    case 8:
      return moving_kernels<8>();
    default:
      return moving_kernels<16>();
  }
}

CopyKernels Kernels(const Element& element, Scaling scaling) {
  const bool scales = scaling == Scaling::by_factor && element.plain_bytes == 0;
  return scales ? scaling_kernels(element) : moving_kernels(element.bytes());
}

const char* TargetName() { return hwy::TargetName(HWY_TARGET); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(Kernels);
HWY_EXPORT(TargetName);

CopyKernels copy_kernels(const Element& element, Scaling scaling) {
  return HWY_DYNAMIC_DISPATCH(Kernels)(element, scaling);
}

void store_fence() { hwy::FlushStream(); }

std::string simd_target() { return HWY_DYNAMIC_DISPATCH(TargetName)(); }

}  // namespace weft
#endif
