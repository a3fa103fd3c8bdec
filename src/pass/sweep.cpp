// Kernels run a sweep alone where they can; the other sweeps go through a tile.
#include "pass/sweep.hpp"

#include <algorithm>

#include "pass/kernel_sweep.hpp"
#include "pass/tile_sweep.hpp"

namespace weft {

std::unique_ptr<Sweep> make_sweep(SweepSpec spec, const std::vector<Box>& domains,
                                  const std::vector<View>& from, const std::vector<View>& to,
                                  const Caches& caches) {
  if (std::unique_ptr<Sweep> sweep = KernelSweep::make(spec, domains, from, to, caches))
    return sweep;
  return std::make_unique<TileSweep>(std::move(spec), domains, from, to, caches);
}

TileBuffers Sweep::make_buffers() const {
  const auto zeroed = [](std::size_t bytes) {
    AlignedBuffer buffer(bytes);
    // The last batch may include unused lines, which must not be NaN or subnormal.
    std::fill_n(buffer.data(), bytes, std::byte{0});
    return buffer;
  };
  const BufferBytes bytes = bytes_of_buffers();
  return {zeroed(bytes.input), zeroed(bytes.output), AlignedBuffer(bytes.scratch)};
}

std::size_t Sweep::buffer_bytes() const {
  const BufferBytes bytes = bytes_of_buffers();
  return bytes.input + bytes.output + bytes.scratch;
}

}  // namespace weft
