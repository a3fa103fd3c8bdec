// The kernels of contiguous lines. Other lines are first copied to contiguous ones, number by
// number. Compiled once for each instruction set.
#if defined(WEFT_KERNEL_ROW_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_KERNEL_ROW_KERNEL_INL
#undef WEFT_KERNEL_ROW_KERNEL_INL
#else
#define WEFT_KERNEL_ROW_KERNEL_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernel/cosine_rows-inl.hpp"
#include "kernel/real_rows-inl.hpp"
#include "kernel/scratch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Real, class Transform>
class RowKernel : public LineKernel {
 public:
  explicit RowKernel(Transform transform) : transform_(std::move(transform)) {
    const Index period = transform_.period();
    const Index bytes = transform_.slots() * tile_pitch<Real>(1) * static_cast<Index>(sizeof(Real));
    if (bytes * period <= cached_bytes) together_ = cached_bytes / (bytes * period) * period;
  }

  void run(const LineRows& from, const LineRows& to, Index lines, double factor,
           std::byte* memory) const override {
    Scratch<Real> scratch(memory);
    const Parts parts = cut(scratch, lines);
    const RowElements input = transform_.input(), output = transform_.output();
    const bool reads_lines = from.is_contiguous, writes_lines = to.is_contiguous;
    const RowLines copied_input{parts.copies, input.line_bytes()};
    const RowLines copied_output{parts.copies, output.line_bytes()};
    if (!reads_lines) input.gather(from, lines, copied_input);
    const RowLines source = reads_lines ? RowLines{from.rows[0], from.line_bytes} : copied_input;
    const RowLines target = writes_lines ? RowLines{to.rows[0], to.line_bytes} : copied_output;
    // Where both sides are copied, one memory holds both copies, so all lines go together.
    const Index together = reads_lines || writes_lines ? together_ : lines;
    for (Index line = 0; line < lines; line += together) {
      const Index groups = std::min(together, lines - line);
      const Tile<Real> tile{parts.tile.data, groups, tile_pitch<Real>(groups)};
      transform_.run({source.line(line), source.pitch}, reads_lines ? from.ahead : 0,
                     {{target.line(line), target.pitch},
                      static_cast<Real>(factor),
                      writes_lines && to.is_streamed,
                      writes_lines && to.is_fetched},
                     tile, {parts.spare, transform_.spare_bytes()});
    }
    if (!writes_lines) output.scatter(copied_output, lines, to);
  }

  std::size_t scratch_bytes(Index lines) const override {
    Scratch<Real> scratch;
    cut(scratch, lines);
    return scratch.taken();
  }
  bool needs_one_row() const override { return true; }
  Index lanes() const override { return transform_.period(); }

 private:
  struct Parts {
    Tile<Real> tile;
    std::byte* copies;  ///< contiguous lines
    std::byte* spare;
  };

  Parts cut(Scratch<Real>& scratch, Index lines) const {
    const Index longest =
        std::max(transform_.input().line_bytes(), transform_.output().line_bytes());
    return {scratch.tile(transform_.slots(), lines), scratch.bytes_of(lines * longest),
            scratch.bytes_of(lines * transform_.spare_bytes())};
  }

  Transform transform_;
  // The lines of a tile that fits the first-level cache; without limit if none does.
  Index together_ = std::numeric_limits<Index>::max();
};

/// Null if that kind and length have none.
template <class Real>
LineKernel* make_row_kernel(LineKind kind, Index length) {
  LineKernel* kernel = nullptr;
  const auto attempt = [&]<class Transform>(std::type_identity<Transform>) {
    if (kernel == nullptr && Transform::has(kind, length))
      kernel = new RowKernel<Real, Transform>(Transform(kind, length));
  };
  attempt(std::type_identity<ComplexRows<Real>>());
  attempt(std::type_identity<RealRows<Real>>());
  attempt(std::type_identity<HalfRows<Real>>());
  attempt(std::type_identity<SecondTypeRows<Real>>());
  attempt(std::type_identity<ThirdTypeRows<Real>>());
  attempt(std::type_identity<FourthTypeRows<Real>>());
  return kernel;
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
