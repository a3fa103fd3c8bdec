// Weft's own kernels as an engine. Most sweeps call the kernels themselves (pass/kernel_sweep.hpp);
// for the other sweeps the engine transforms contiguous lines, like a library.
#include "engine/engine.hpp"
#include "kernel/line_kernel.hpp"
#include "machine/aligned_buffer.hpp"
#include "machine/cache_line.hpp"
#include "view/copy_kernels.hpp"

namespace weft {
namespace {

/// Scratch memory of this thread for all transforms; it grows to the largest size needed.
std::byte* thread_scratch(std::size_t bytes) {
  thread_local AlignedBuffer buffer;
  if (buffer.size() < bytes) buffer = AlignedBuffer(bytes);
  return buffer.data();
}

class KernelLines : public LineTransform {
 public:
  explicit KernelLines(const LineBatch& batch)
      : kernel_(make_line_kernel(batch.kind, batch.precision, batch.length, batch.components,
                                 batch.contiguous_lines)),
        lines_(batch.lines) {
    const Index real = batch.precision == Precision::double_ ? sizeof(double) : sizeof(float);
    const Index half = batch.length / 2 + 1;
    const bool is_real = is_trigonometric(batch.kind) && batch.components == 1;
    input_ = {batch.kind == LineKind::c2r ? half : batch.length,
              is_real || batch.kind == LineKind::r2c ? real : 2 * real, batch.input_distance};
    output_ = {batch.kind == LineKind::r2c ? half : batch.length,
               is_real || batch.kind == LineKind::c2r ? real : 2 * real, batch.output_distance};
  }

  void run(const void* input, void* output) const override {
    const Index elements = input_.elements + output_.elements;
    const std::size_t tables =
        round_up(static_cast<std::size_t>(elements) * sizeof(std::byte*), line_bytes);
    std::byte* const scratch = thread_scratch(tables + kernel_->scratch_bytes(lines_));
    auto** const rows = reinterpret_cast<std::byte**>(scratch);
    void* const in = const_cast<void*>(input);  // the kernel only reads it
    const LineRows from = input_.rows(static_cast<std::byte*>(in), *kernel_, rows);
    const LineRows to =
        output_.rows(static_cast<std::byte*>(output), *kernel_, rows + input_.elements);
    kernel_->run(from, to, lines_, 1, scratch + tables);
  }

 private:
  struct Side {
    Index elements;
    Index bytes;  ///< of each
    Index distance;

    LineRows rows(std::byte* first, const LineKernel& kernel, std::byte** rows) const {
      const Index needed = kernel.needs_one_row() ? 1 : elements;
      for (Index j = 0; j < needed; ++j) rows[j] = first + j * bytes;
      return {.rows = rows, .line_bytes = distance * bytes, .is_contiguous = true};
    }
  };

  std::unique_ptr<LineKernel> kernel_;
  Index lines_;
  Side input_;
  Side output_;
};

bool supports(LineKind, Precision) { return true; }

std::unique_ptr<LineTransform> plan(const LineBatch& batch) {
  return std::make_unique<KernelLines>(batch);
}

}  // namespace

Engine weft_engine() {
  return {"weft", "Weft's kernels for " + simd_target(), supports, plan, true, true, true};
}

}  // namespace weft
