// What the files of the two precisions have in common: two, so that they are compiled side by side.
#pragma once

#include <array>
#include <utility>

#include "cuda/common_lengths.hpp"
#include "cuda/compiled_kernels.hpp"
#include "cuda/tile_entry.hpp"

namespace weft {

template <class Real, TileKind kind, int length>
inline constexpr TilePlan compiled_plan = make_tile_plan(kind, length, sizeof(Real));

/// Its parameters are numbers, because nvcc cannot name a kernel that has a plan as a parameter.
template <class Real, TileKind kind, int length, bool is_plain>
__global__ void __launch_bounds__(compiled_plan<Real, kind, length>.threads(),
                                  resident_blocks(compiled_plan<Real, kind, length>,
                                                  2 * sizeof(Real)))
    run_tiles(const __grid_constant__ TileJob job) {
  run_tile<Real, compiled_plan<Real, kind, length>, is_plain>(job);
}

template <class Real, TileKind kind, int length, bool is_plain = false>
CompiledKernel compiled() {
  constexpr Precision precision =
      sizeof(Real) == sizeof(double) ? Precision::double_ : Precision::single_;
  return {{compiled_plan<Real, kind, length>, precision, is_plain},
          reinterpret_cast<const void*>(&run_tiles<Real, kind, length, is_plain>)};
}

template <class Real, int... places>
auto compiled_for(std::integer_sequence<int, places...>) {
  return std::array{compiled<Real, TileKind::c2c, common_lengths[places], true>()...,
                    compiled<Real, TileKind::c2c, common_lengths[places]>()...,
                    compiled<Real, TileKind::r2c, common_lengths[places]>()...,
                    compiled<Real, TileKind::c2r, common_lengths[places]>()...,
                    compiled<Real, TileKind::copy, copied_length>(),
                    compiled<Real, TileKind::copy_real, copied_length>()};
}

template <class Real>
std::span<const CompiledKernel> compiled_kernels() {
  constexpr int count = sizeof common_lengths / sizeof common_lengths[0];
  static const auto kernels = compiled_for<Real>(std::make_integer_sequence<int, count>());
  return kernels;
}

}  // namespace weft
