// The common part of the files of both precisions. Two files are compiled side by side.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "cuda_kernel/common_lengths.hpp"
#include "cuda_kernel/compiled_kernels.hpp"
#include "device_kernel/tile_entry.hpp"

namespace weft {

template <class Real, TileKind kind, int length, TileAccess from, TileAccess to>
inline constexpr TilePlan compiled_plan = plan_for(make_tile_plan(kind, length, sizeof(Real)),
                                                   {from, to});

/// Its parameters are numbers, because nvcc cannot name a kernel that has a plan as a parameter.
template <class Real, TileKind kind, int length, TileAccess from, TileAccess to>
__global__ void __launch_bounds__(compiled_plan<Real, kind, length, from, to>.threads(),
                                  residency(compiled_plan<Real, kind, length, from, to>,
                                            2 * sizeof(Real)))
    run_tiles(WEFT_ARGUMENT TileJob job) {
  run_tile<Real, compiled_plan<Real, kind, length, from, to>, TileVariant{from, to}>(job);
}

template <class Real, TileKind kind, int length, TileAccess from = TileAccess::any,
          TileAccess to = TileAccess::any>
CompiledKernel compiled() {
  constexpr TilePlan plan = compiled_plan<Real, kind, length, from, to>;
  static_assert(variant_of(plan, from, to) == TileVariant{from, to}, "no pass asks for it");
  constexpr Precision precision =
      sizeof(Real) == sizeof(double) ? Precision::double_ : Precision::single_;
  return {{plan, precision, {from, to}},
          reinterpret_cast<const void*>(&run_tiles<Real, kind, length, from, to>)};
}

/// All kernels that passes ask for; a test compares them.
template <class Real, int length>
auto compiled_for_length() {
  constexpr TileAccess across = TileAccess::across, along = TileAccess::along;
  return std::array{compiled<Real, TileKind::c2c, length>(),
                    compiled<Real, TileKind::c2c, length, across, across>(),
                    compiled<Real, TileKind::c2c, length, across, along>(),
                    compiled<Real, TileKind::c2c, length, along, across>(),
                    compiled<Real, TileKind::c2c, length, along, along>(),
                    compiled<Real, TileKind::r2c, length>(),
                    compiled<Real, TileKind::r2c, length, along, across>(),
                    compiled<Real, TileKind::r2c, length, along, along>(),
                    compiled<Real, TileKind::c2r, length>(),
                    compiled<Real, TileKind::c2r, length, across, along>(),
                    compiled<Real, TileKind::c2r, length, along, along>()};
}

template <class Real, int... places>
auto compiled_for(std::integer_sequence<int, places...>) {
  std::vector<CompiledKernel> kernels{compiled<Real, TileKind::copy, copied_length>(),
                                      compiled<Real, TileKind::copy_real, copied_length>()};
  const auto add = [&](const auto& more) {
    kernels.insert(kernels.end(), more.begin(), more.end());
  };
  (add(compiled_for_length<Real, common_lengths[places]>()), ...);
  return kernels;
}

template <class Real>
std::span<const CompiledKernel> compiled_kernels() {
  constexpr int count = sizeof common_lengths / sizeof common_lengths[0];
  static const auto kernels = compiled_for<Real>(std::make_integer_sequence<int, count>());
  return kernels;
}

}  // namespace weft
